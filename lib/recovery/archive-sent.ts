import type { SegmentStore } from '../archive/archive.ts';
import { SegmentedArchive } from '../archive/segmented-archive.ts';
import type { OutgoingMessage } from '../queue/message-parts.ts';
import type { Clock } from '../runtime/clock.ts';

/** No more is buffered for an archive that is unavailable: messages are sent all the same. */
const maxBytes = 8 * 1024 * 1024;
const closeWithinMs = 5_000;

/** Archives messages that the forwarder did not send; no checkpoint depends on it. */
export interface SentArchive {
  keep(message: OutgoingMessage): void;
  /** Returns how many messages could not be archived, and why; undefined if all are in the archive. */
  close(): Promise<string | undefined>;
}

export interface SentArchiveOptions {
  cluster: string;
  /** Without a store, nothing is archived. */
  store: SegmentStore | undefined;
  clock: Clock;
}

export function archiveSent({ cluster, store, clock }: SentArchiveOptions): SentArchive {
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
