import type { Head } from './head.ts';

/** Takes what stands between two positions of some bytes. */
export type TakeBytes = (bytes: Buffer, start: number, end: number) => void;

const [lineFeed, carriageReturn, space, semicolon] = [0x0a, 0x0d, 0x20, 0x3b];
/** Of the number that says how long a piece is. */
const maxDigits = 8;
/** Of lengths and what may follow them, and of headers behind the body: nobody has as much to say that is none of it. */
const maxOverheadBytes = 64 * 1024;

/** Finds the body of an answer in what comes, in whatever pieces that may be, and where it ends. */
export class Body {
  private state: 'length' | 'extension' | 'piece' | 'after a piece' | 'trailer' | 'over';
  private readonly isChunked: boolean;
  /** How much is left of a piece, or of the body if it comes in one. */
  private left = 0;
  private digits = 0;
  /** How long the present line of the trailer is. */
  private lineLength = 0;
  /** How much has come that is no part of the body, since there was such a part. */
  private overhead = 0;

  constructor({ length }: Pick<Head, 'length'>) {
    this.isChunked = length === 'chunked';
    this.state = this.isChunked ? 'length' : length === 0 ? 'over' : 'piece';
    if (!this.isChunked) this.left = length === 'until closed' ? Number.POSITIVE_INFINITY : Number(length);
  }

  get isOver(): boolean {
    return this.state === 'over';
  }

  /** Whether it is over when the connection is closed. */
  get mayEndHere(): boolean {
    return this.isOver || this.left === Number.POSITIVE_INFINITY;
  }

  /** Answers where the body ends, or the end of what has come. */
  push(bytes: Buffer, start: number, end: number, take: TakeBytes): number {
    let at = start;
    while (at < end && this.state !== 'over') {
      if (this.state === 'piece') at = this.passPiece(bytes, at, end, take);
      else this.passByte(bytes[at++] as number);
    }
    return at;
  }

  private passPiece(bytes: Buffer, at: number, end: number, take: TakeBytes): number {
    const to = Math.min(end, at + this.left);
    take(bytes, at, to);
    this.left -= to - at;
    if (this.left === 0) this.state = this.isChunked ? 'after a piece' : 'over';
    return to;
  }

  private passByte(byte: number): void {
    this.overhead += 1;
    if (this.overhead > maxOverheadBytes) throw new Error('its response has more chunk framing than content');
    if (byte === carriageReturn) return;
    if (this.state === 'trailer') this.passTrailer(byte);
    else if (this.state === 'after a piece') this.beginLength(byte);
    else if (byte === lineFeed) this.beginPiece();
    else if (this.state === 'length') this.passDigit(byte);
  }

  /** Headers may follow, which say nothing here, and then comes an empty line. */
  private passTrailer(byte: number): void {
    if (byte !== lineFeed) this.lineLength += 1;
    else if (this.lineLength === 0) this.state = 'over';
    else this.lineLength = 0;
  }

  private beginLength(byte: number): void {
    if (byte !== lineFeed) throw new Error('a chunk of its response is longer than declared');
    [this.state, this.left, this.digits] = ['length', 0, 0];
  }

  private beginPiece(): void {
    if (this.digits === 0) throw withoutLength();
    this.state = this.left === 0 ? 'trailer' : 'piece';
    this.overhead = 0;
  }

  private passDigit(byte: number): void {
    if (byte === semicolon || byte === space) {
      this.state = 'extension';
      return;
    }
    const digit = Number.parseInt(String.fromCharCode(byte), 16);
    this.digits += 1;
    if (Number.isNaN(digit) || this.digits > maxDigits) throw withoutLength();
    this.left = this.left * 16 + digit;
  }
}

function withoutLength(): Error {
  return new Error('a chunk of its response has no length');
}
