import { type Hold, type Memory, TooLarge } from '../runtime/memory/budget.ts';

/** This much of each response is not counted while it is read: nearly all are shorter. */
const freeBytes = 64 * 1024;

/** Thrown so that the caller can request less at a time. */
export class AnswerTooLong extends TooLarge {
  constructor(maxBytes: number) {
    super(`its response has more than ${maxBytes} bytes`);
  }
}

export interface Reading {
  maxBytes: number;
  share: Memory;
  signal?: AbortSignal | undefined;
  /** Reading pauses, which is not the server's fault. */
  pause?: () => void;
  resume?: () => void;
}

export interface WholeAnswer {
  body: Buffer;
  /** The memory of the response, which its reader releases. */
  held: Hold;
}

/** The whole response of a server, up to a limit. A long one waits until there is memory for it. */
export async function wholeOf(response: AsyncIterable<Buffer>, reading: Reading): Promise<WholeAnswer> {
  const { maxBytes, share, signal, pause, resume } = reading;
  const held = share.hold();
  let bytes = Buffer.allocUnsafe(0);
  const chunks: Buffer[] = [];
  let length = 0;
  let copied = 0;
  try {
    for await (const chunk of response) {
      length += chunk.length;
      if (length > maxBytes) throw new AnswerTooLong(maxBytes);
      chunks.push(chunk);
      if (length <= freeBytes) continue;
      if (held.bytes === 0) {
        pause?.();
        await held.resize(maxBytes, signal);
        resume?.();
        // Pages that are never written to take no memory.
        bytes = Buffer.allocUnsafeSlow(maxBytes);
      }
      for (const each of chunks.splice(0)) copied += each.copy(bytes, copied);
    }
    const body = held.bytes === 0 ? Buffer.concat(chunks) : bytes.subarray(0, length);
    await held.resize(length, signal);
    return { body, held };
  } catch (error) {
    held.release();
    throw error;
  }
}
