import { codes, endOfContainer, endOfText, endOfWord } from './bytes.ts';
import { Cursor } from './cursor.ts';
import { compile } from './scan.ts';

const { quote, openList, closeList, openObject, closeObject } = codes;

/** Takes one item of a list, which stands between two positions of its bytes. */
export type TakeItem = (start: number, end: number) => void;

/** What an answer of an API server says beside its items. */
export interface ListHead {
  metadata: { resourceVersion?: string; continue?: string };
  /** Whether it has items, or says that there are none. */
  isList: boolean;
}

/** Goes through a list item by item, so that never more than one of them is made a value. */
export function readList(bytes: Buffer, take: TakeItem): ListHead {
  return new ListReader(bytes, 0, bytes.length).read(take);
}

const scanMetadata = compile({ resourceVersion: true, continue: true });

class ListReader extends Cursor {
  read(take: TakeItem): ListHead {
    const head: ListHead = { metadata: {}, isList: false };
    if (this.bytes[this.at] !== openObject) throw this.damage();
    if (this.isEmpty(closeObject)) return this.whole(head);
    do {
      if (this.bytes[this.at] !== quote) throw this.damage();
      const name = this.decode();
      this.passColon();
      if (name === 'items') head.isList = this.readItems(take);
      else if (name === 'metadata') head.metadata = this.readMetadata();
      else this.pass();
    } while (this.goesOn(closeObject));
    return this.whole(head);
  }

  private whole(head: ListHead): ListHead {
    this.finish();
    return head;
  }

  private readItems(take: TakeItem): boolean {
    if (this.bytes[this.at] !== openList) return this.readNull();
    if (this.isEmpty(closeList)) return true;
    do {
      const start = this.at;
      this.pass();
      take(start, this.at);
    } while (this.goesOn(closeList));
    return true;
  }

  /** An empty list of metadata has null instead of items. */
  private readNull(): boolean {
    const start = this.at;
    this.pass();
    return this.bytes.toString('latin1', start, Math.min(this.at, start + 5)) === 'null';
  }

  private readMetadata(): ListHead['metadata'] {
    const start = this.at;
    this.pass();
    const found = scanMetadata(this.bytes, start, this.at);
    return typeof found === 'object' && found !== null ? found : {};
  }

  private pass(): void {
    const { bytes, at, end } = this;
    const byte = bytes[at];
    if (byte === quote) this.at = endOfText(bytes, at, end);
    else if (byte === openObject || byte === openList) this.at = endOfContainer(bytes, at, end);
    else this.at = endOfWord(bytes, at, end);
    if (this.at === at) throw this.damage();
  }
}
