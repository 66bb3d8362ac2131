import { ruleFor, type Selection } from './selection.ts';

/** A field that was met in the objects at one place, and what is known about it. */
export interface Field {
  readonly name: string;
  /** The name as it is written without escapes. */
  readonly bytes: Buffer;
  readonly isKept: boolean;
  /** What to select inside it; without this, all that is kept is kept whole. */
  readonly inside: Fields | undefined;
  /** The field that came after it, when that was not to be guessed. */
  next: Field | undefined;
  /** The short text that was its value the last time, with its bytes if it was so before that, too. */
  value: { text: string; bytes: Buffer | undefined };
}

/** Somebody may give their objects more and more names: no more than these are learnt at one place. */
const maxLearnt = 64;
const all: Selection = { '*': true };

/**
 * The fields of all objects at one place. Objects of one kind have much the same fields in the same order, many with the
 * same values, and to find that is cheaper than to make a string again. What is learnt makes it faster, and nothing else.
 */
export class Fields {
  readonly selection: Selection;
  /** What comes before the first field of an object. */
  readonly head: Field;
  /** Makes an empty object, as `{}` does. */
  readonly Found: new () => Record<string, unknown> = foundHere();
  private readonly listed = new Map<string, Field>();
  private readonly learnt = new Map<string, Field>();

  constructor(selection: Selection) {
    this.selection = selection;
    this.head = { ...this.build(''), isKept: true, inside: this };
    for (const name of Object.keys(selection)) this.listed.set(name, this.build(name));
  }

  named(name: string): Field {
    const known = this.listed.get(name) ?? this.learnt.get(name);
    if (known) return known;
    const field = this.build(name);
    if (this.learnt.size < maxLearnt) this.learnt.set(field.name, field);
    return field;
  }

  private build(text: string): Field {
    const rule = ruleFor(this.selection, text);
    // The name of a property is the one string of its kind, and is set the fastest.
    const [name = ''] = Object.keys({ [text]: true });
    const value = { text: '', bytes: undefined };
    return {
      name,
      bytes: Buffer.from(name),
      isKept: rule !== false,
      inside: this.insideOf(rule),
      next: undefined,
      value,
    };
  }

  /** One level of what is kept whole is read field by field, which for the few labels of an object is the faster way. */
  private insideOf(rule: Selection[string]): Fields | undefined {
    if (rule === true) return this.selection === all ? undefined : new Fields(all);
    return rule === false ? undefined : new Fields(rule);
  }
}

/**
 * One for each place: what is made by one function has room for as many fields as the first few of its objects had, where
 * `{}` has room for four, and there are many of them.
 */
function foundHere(): new () => Record<string, unknown> {
  function Found() {}
  Found.prototype = Object.prototype;
  return Found as unknown as new () => Record<string, unknown>;
}
