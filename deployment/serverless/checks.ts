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
export interface Reader<T> {
  (text: string, place: Place): T;
  /** What may be written, for people: in messages, and in the table of docs/configuration.md. */
  readonly accepts: string;
}

/** That a text means nothing: undefined may be what is meant by it. */
export const nothing = Symbol('nothing');

/** Whatever says what it accepts also says so to whoever has written something else. */
export function reader<T>(
  accepts: string,
  example: string,
  read: (text: string, place: Place) => T | typeof nothing,
): Reader<T> {
  const orRefuse = (text: string, place: Place): T => {
    const value = read(text, place);
    if (value === nothing) throw new Mistake(`must be ${accepts}, but is ${shown(text)}`, example);
    return value;
  };
  return Object.assign(orRefuse, { accepts });
}

export function wholeNumber(least: number, most: number, example: number): Reader<number> {
  return reader(`a whole number from ${least} to ${most}`, String(example), (text) => {
    const value = numberFrom(text);
    return value >= least && value <= most ? value : nothing;
  });
}

const oneOrOther = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function oneOf<const T extends string>(...choices: readonly [T, ...T[]]): Reader<T> {
  return reader(oneOrOther.format(choices), choices[0], (text) => choices.find((choice) => choice === text) ?? nothing);
}

const onOrOff = oneOf('on', 'off');
export const isOn = reader(onOrOff.accepts, 'on', (text, place) => onOrOff(text, place) === 'on');

/** One of so many numbers that a range does not say which. */
export function oneOfNumbers(choices: readonly number[], example: number): Reader<number> {
  return reader(`one of ${choices.join(', ')}`, String(example), (text) => {
    const value = numberFrom(text);
    return choices.includes(value) ? value : nothing;
  });
}

function numberFrom(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Texts with commas between them; none, if there is nothing. Of several it is said which one is wrong. */
export function list(pattern: RegExp, [one, several]: readonly [string, string], example: string): Reader<string[]> {
  return reader(`${several}, comma-separated, or nothing`, example, (text) => {
    const items = text === '' ? [] : text.split(',').map((item) => item.trim());
    const wrong = items.find((item) => !pattern.test(item));
    if (wrong === undefined) return items;
    throw new Mistake(`has ${shown(wrong)}, which is not the ${one}`, example);
  });
}

export function shown(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}
