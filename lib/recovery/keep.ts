import type { SegmentStore } from '../archive/archive.ts';
import { SegmentedArchive } from '../archive/segmented-archive.ts';
import type { OutgoingMessage } from '../queue/message-parts.ts';
import type { Clock } from '../runtime/clock.ts';

/** More is not held back for an archive that is away: what is told has to be told all the same. */
const maxBytes = 8 * 1024 * 1024;
const closeWithinMs = 5_000;

/** Where messages are kept that somebody else than the forwarder sends: no checkpoint depends on it. */
export interface Keeping {
  keep(message: OutgoingMessage): void;
  /** What could not be kept, and why; undefined when all is in the archive. */
  close(): Promise<string | undefined>;
}

export interface KeepOptions {
  cluster: string;
  /** Nothing is kept without one. */
  store: SegmentStore | undefined;
  clock: Clock;
}

export function keepSent({ cluster, store, clock }: KeepOptions): Keeping {
  if (!store) return { keep: () => {}, close: async () => undefined };
  let reason = 'the store did not respond';
  const log = {
    info: () => {},
    error: (_: string, fields: { error?: unknown } = {}) => {
      reason = String(fields.error ?? reason);
    },
  };
  const archive = new SegmentedArchive({ cluster, store, clock, log });
  let unkept = 0;
  const keep = (message: OutgoingMessage) => {
    unkept += 1;
    if (archive.unwrittenBytes > maxBytes) return;
    archive.add(message, () => {
      unkept -= 1;
    });
  };
  const close = async () => {
    await archive.close(closeWithinMs).catch(() => {});
    return unkept === 0 ? undefined : `${unkept} messages were sent and are not in the archive: ${reason}`;
  };
  return { keep, close };
}
