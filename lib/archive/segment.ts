import { maxSegmentBytes, maxSpanMs } from './segment-limits.ts';

/** Lines that are written together, as one object of the archive. */
export class Segment {
  readonly name: string;
  /** When its first message was sent. */
  readonly beginsAt: number;
  /** It has been open for long enough, and is written when the ones before it are. */
  isDue = false;
  bytes = 0;
  private lines: string[] = [];
  private callbacks: (() => void)[] = [];

  constructor(name: string, beginsAt: number) {
    this.name = name;
    this.beginsAt = beginsAt;
  }

  get size(): number {
    return this.callbacks.length;
  }

  get isFull(): boolean {
    return this.bytes >= maxSegmentBytes;
  }

  /** A clock that was set back, or far forward, begins a new segment: the name states the time of its lines. */
  canTake(bytes: number, time: number): boolean {
    const age = time - this.beginsAt;
    return this.bytes + bytes <= maxSegmentBytes && age >= 0 && age <= maxSpanMs;
  }

  add(line: string, bytes: number, written: () => void): void {
    this.lines.push(line);
    this.callbacks.push(written);
    this.bytes += bytes;
  }

  /** Its text, only once: from then on only the compressed form is kept. */
  takeText(): Buffer {
    const text = Buffer.from(this.lines.join(''));
    this.lines = [];
    return text;
  }

  /** Calls each callback once, even if another one fails. */
  notifyWritten(onFailure: (error: unknown) => void): void {
    const callbacks = this.callbacks;
    this.callbacks = [];
    for (const written of callbacks) {
      try {
        written();
      } catch (error) {
        onFailure(error);
      }
    }
  }
}
