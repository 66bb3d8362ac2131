import { type Head, readHead } from './head.ts';

const end = '\r\n\r\n';
const firstLength = 4 * 1024;
const maxHeadBytes = 64 * 1024;

/** A head, and all that has come with it: the body begins at `head.from`. */
export interface HeadFound {
  head: Head;
  bytes: Buffer;
}

/** Reads a head while its bytes come, in whatever pieces. Each byte is searched once, so that no server can make it long. */
export class HeadReader {
  private bytes = Buffer.allocUnsafe(firstLength);
  private length = 0;

  push(chunk: Buffer): HeadFound | undefined {
    this.add(chunk);
    const bytes = this.bytes.subarray(0, this.length);
    const isEnded = bytes.includes(end, Math.max(0, this.length - chunk.length - end.length + 1));
    const head = isEnded ? readHead(bytes) : undefined;
    if (head) return { head, bytes };
    if (this.length > maxHeadBytes) throw new Error('its response has no status line');
    return undefined;
  }

  private add(chunk: Buffer): void {
    const needed = this.length + chunk.length;
    if (needed > this.bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(needed, 2 * this.bytes.length));
      this.bytes.copy(larger, 0, 0, this.length);
      this.bytes = larger;
    }
    this.length += chunk.copy(this.bytes, this.length);
  }
}
