import { countValues, maxValues, TooManyValues } from './bounds.ts';
import { codes, endOfContainer, endOfText, endOfWord } from './bytes.ts';
import { Cursor } from './cursor.ts';
import { type Field, Fields } from './fields.ts';
import { type Selection, select } from './selection.ts';

const { quote, openList, closeList, openObject, closeObject } = codes;

/** Reads what is selected from the JSON text that stands between two positions of some bytes. */
export type Scan = (bytes: Buffer, start: number, end: number) => unknown;

/**
 * Answers what selecting from the parsed text would answer, and is faster, as what is left out is only passed over.
 * It throws when the text breaks off, goes on after its end, or is damaged. Inside of objects, lists and texts that are
 * left out it notices only a quote that is missing, and brackets that are not closed as often as they are opened: not
 * which kind of bracket it is, nor commas, colons, numbers, escapes or words that are wrong.
 */
export function compile(selection: Selection): Scan {
  const { head } = new Fields(selection);
  return (bytes, start, end) => new Scanner(bytes, start, end).readAll(head);
}

/** How many fields an object may leave out before the next one is found by its name again. */
const maxGuesses = 6;
const maxRememberedLength = 64;

class Scanner extends Cursor {
  /** How many values may still be made. */
  private left = maxValues;

  readAll(field: Field): unknown {
    const value = this.read(field);
    this.finish();
    return value;
  }

  private read(field: Field): unknown {
    this.left -= 1;
    if (this.left < 0) throw new TooManyValues(`it has more than ${maxValues} values`);
    const byte = this.bytes[this.at];
    if (byte === quote) return this.readText(field);
    if (byte !== openObject && byte !== openList) return this.parse(endOfWord);
    if (!field.inside) return this.parseContainer();
    return byte === openObject ? this.readObject(field.inside) : this.readList(field, field.inside);
  }

  private skip(): void {
    const { bytes, at, end } = this;
    const byte = bytes[at];
    if (byte === quote) this.at = endOfText(bytes, at, end);
    else if (byte === openObject || byte === openList) this.at = endOfContainer(bytes, at, end);
    else this.parse(endOfWord);
  }

  private readObject(fields: Fields): Record<string, unknown> {
    const found = new fields.Found();
    if (this.isEmpty(closeObject)) return found;
    let field = fields.head;
    do {
      field = this.readName(fields, field);
      this.passColon();
      if (field.isKept) set(found, field.name, this.read(field));
      else this.skip();
    } while (this.goesOn(closeObject));
    return found;
  }

  private readList(field: Field, { selection }: Fields): unknown[] {
    const found: unknown[] = [];
    if (this.isEmpty(closeList)) return found;
    do {
      // Lists in lists may be as deep as somebody likes, and are never found where it must be fast.
      const isList = this.bytes[this.at] === openList;
      found.push(isList ? select(this.parseContainer(), selection) : this.read(field));
    } while (this.goesOn(closeList));
    return found;
  }

  /** What is kept whole may become much more in memory than it is in bytes. */
  private parseContainer(): unknown {
    const from = this.at;
    const end = endOfContainer(this.bytes, from, this.end);
    this.left -= countValues(this.bytes, from, end);
    if (this.left < 0) throw new TooManyValues(`it has more than ${maxValues} values`);
    return this.parse(() => end);
  }

  private readName(fields: Fields, before: Field): Field {
    let guess = before.next;
    for (let guesses = 0; guess !== undefined && guesses < maxGuesses; guesses += 1) {
      if (this.isNext(guess.bytes)) return guess;
      guess = guess.next;
    }
    const from = this.at;
    if (this.bytes[from] !== quote) throw this.damage();
    const field = fields.named(this.decode());
    if (this.wasPlain(from, field.name)) before.next = field;
    return field;
  }

  private readText({ value }: Field): string {
    if (value.bytes !== undefined && this.isNext(value.bytes)) return value.text;
    const from = this.at;
    const text = this.decode();
    if (text.length <= maxRememberedLength && this.wasPlain(from, text)) {
      // What has come twice may come again; to keep the bytes of every name or uid would cost more than it saves.
      value.bytes = text === value.text ? Buffer.from(text) : undefined;
      value.text = text;
    }
    return text;
  }
}

/** A field may be called __proto__, which an assignment would take for the prototype. */
function set(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}
