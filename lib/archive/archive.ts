import type { OutgoingMessage } from '../queue/message-parts.ts';

export interface Archive {
  /** Takes a message that its queue has taken. `written` is called when it is in the archive for good. */
  add(message: OutgoingMessage, written: () => void): void;
  /** How much has been added and is not in the archive yet: beyond some bound nothing more should be added. */
  readonly unwrittenBytes: number;
  /** Writes what is left now; resolves when all is written, rejects when that was not possible by the time limit. */
  close(limitMs: number): Promise<void>;
}

/** Where segments are put. Putting the same name again replaces what was there. */
export interface SegmentStore {
  put(name: string, bytes: Buffer): Promise<void>;
}

/** The archive of a deployment that keeps none: every message counts as written at once. */
export const noArchive: Archive = {
  add: (_, written) => written(),
  unwrittenBytes: 0,
  close: async () => {},
};
