/** What is wrong with one parameter, and what to write instead. */
export class Mistake extends Error {
  override readonly name = 'Mistake';
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}

/** Which deployment the parameters are for. */
export interface Place {
  readonly stage: string;
  readonly region: string;
}

/** Makes of a parameter's text what is meant by it, or throws a Mistake. */
export type Reader<T> = (text: string, place: Place) => T;

export function wholeNumber(least: number, most: number, example: number): Reader<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    throw new Mistake(`must be a whole number from ${least} to ${most}, but is ${shown(text)}`, String(example));
  };
}

export function oneOf<const T extends string>(...choices: readonly [T, ...T[]]): Reader<T> {
  return (text) => {
    const chosen = choices.find((choice) => choice === text);
    if (chosen !== undefined) return chosen;
    throw new Mistake(`must be ${choices.join(' or ')}, but is ${shown(text)}`, choices[0]);
  };
}

export function isOn(text: string, place: Place): boolean {
  return oneOf('on', 'off')(text, place) === 'on';
}

/** One of so many numbers that they are not all said. */
export function oneOfNumbers(choices: readonly number[], example: number): Reader<number> {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (choices.includes(value)) return value;
    throw new Mistake(`must be one of ${choices.join(', ')}, but is ${shown(text)}`, String(example));
  };
}

/** Texts with commas between them; none, if there is nothing. */
export function list(pattern: RegExp, what: string, example: string): Reader<string[]> {
  return (text) => {
    const items = text === '' ? [] : text.split(',').map((item) => item.trim());
    const wrong = items.find((item) => !pattern.test(item));
    if (wrong === undefined) return items;
    throw new Mistake(`has ${shown(wrong)}, which is not the ${what}`, example);
  };
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}
