import * as json from './bytes.ts';

const { quote, comma, colon } = json.codes;

/**
 * A position in a JSON text, which only ever grows. So it may look a little past the end, where there are the bytes of the
 * next line or none: what was taken from there shows when all is read, by a position that is not the end.
 */
export class Cursor {
  protected readonly bytes: Buffer;
  protected readonly end: number;
  protected at: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.at = json.afterSpace(bytes, start, end);
    this.end = end;
  }

  protected finish(): void {
    this.at = json.afterSpace(this.bytes, this.at, this.end);
    if (this.at !== this.end) throw this.damage();
  }

  /** Reads a text, whatever is in it. */
  protected decode(): string {
    const { bytes, at, end } = this;
    const close = json.endOfPlain(bytes, at, end);
    if (close === undefined) return this.parse(json.endOfText) as string;
    this.at = close + 1;
    return bytes.toString('latin1', at + 1, close);
  }

  /** Whether in the text that was read last each character is one byte: an escape takes more, and all that is not ASCII. */
  protected wasPlain(from: number, text: string): boolean {
    return this.at - from === text.length + 2;
  }

  /** Passes a text that is known to be plain, if it is the next one. */
  protected isNext(known: Buffer): boolean {
    const { bytes, at } = this;
    const { length } = known;
    if (bytes[at] !== quote || bytes[at + length + 1] !== quote) return false;
    for (let index = 0; index < length; index += 1) {
      if (bytes[at + 1 + index] !== known[index]) return false;
    }
    this.at = at + length + 2;
    return true;
  }

  /** Reads all that there is up to what is found to be its end. */
  protected parse(endOf: (bytes: Buffer, from: number, end: number) => number): unknown {
    const from = this.at;
    this.at = endOf(this.bytes, from, this.end);
    try {
      return JSON.parse(this.bytes.toString('utf8', from, this.at));
    } catch {
      throw this.damage();
    }
  }

  /** Passes an opening bracket, and the closing one if nothing is between. */
  protected isEmpty(close: number): boolean {
    this.at = json.afterSpace(this.bytes, this.at + 1, this.end);
    const isEnd = this.bytes[this.at] === close;
    if (isEnd) this.at += 1;
    return isEnd;
  }

  protected passColon(): void {
    const { bytes, end } = this;
    const at = json.afterSpace(bytes, this.at, end);
    if (bytes[at] !== colon) throw this.damage();
    this.at = json.afterSpace(bytes, at + 1, end);
  }

  /** Passes a comma, or a closing bracket. */
  protected goesOn(close: number): boolean {
    const { bytes, end } = this;
    const at = json.afterSpace(bytes, this.at, end);
    const byte = bytes[at];
    if (byte !== comma && byte !== close) {
      this.at = at;
      throw this.damage();
    }
    this.at = byte === close ? at + 1 : json.afterSpace(bytes, at + 1, end);
    return byte === comma;
  }

  protected damage(): json.DamagedJson {
    return new json.DamagedJson(this.at);
  }
}
