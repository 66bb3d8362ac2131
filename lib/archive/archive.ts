import type { OutgoingMessage } from '../queue/message-parts.ts';

export interface Archive {
  /** Adds a message that its queue has accepted. `written` is called when it is durably in the archive. */
  add(message: OutgoingMessage, written: () => void): void;
  /** Bytes added but not in the archive yet: beyond some bound nothing more should be added. */
  readonly unwrittenBytes: number;
  /** Writes the rest now; resolves when all is written, rejects if that was not possible within the time limit. */
  close(limitMs: number): Promise<void>;
}

/** Stores segments. Putting the same name again replaces the former one. */
export interface SegmentStore {
  put(name: string, bytes: Buffer): Promise<void>;
}

/** For a deployment without an archive: every message counts as written at once. */
export const noArchive: Archive = {
  add: (_, written) => written(),
  unwrittenBytes: 0,
  close: async () => {},
};
