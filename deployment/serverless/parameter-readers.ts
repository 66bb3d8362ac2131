/** One parameter is invalid; `remedy` is a valid value. */
export class InvalidParameter extends Error {
  override readonly name = 'Mistake';
  readonly remedy: string;

  constructor(problem: string, remedy: string) {
    super(problem);
    this.remedy = remedy;
  }
}

/** The deployment that the parameters are for. */
export interface DeploymentTarget {
  readonly stage: string;
  readonly region: string;
}

/** Parses a parameter's string, or throws InvalidParameter. */
export interface Reader<T> {
  (text: string, place: DeploymentTarget): T;
  /** The accepted values, for people: in messages, and in the table of docs/configuration.md. */
  readonly accepts: string;
}

/** The string is invalid. Not undefined, which may be a parsed value. */
export const invalid = Symbol('nothing');

/** A reader whose error names the accepted values. */
export function reader<T>(
  accepts: string,
  example: string,
  read: (text: string, place: DeploymentTarget) => T | typeof invalid,
): Reader<T> {
  const readOrThrow = (text: string, place: DeploymentTarget): T => {
    const value = read(text, place);
    if (value === invalid) throw new InvalidParameter(`must be ${accepts}, but is ${quotedValue(text)}`, example);
    return value;
  };
  return Object.assign(readOrThrow, { accepts });
}

export function wholeNumber(least: number, most: number, example: number): Reader<number> {
  return reader(`a whole number from ${least} to ${most}`, String(example), (text) => {
    const value = numberFrom(text);
    return value >= least && value <= most ? value : invalid;
  });
}

const oneOrOther = new Intl.ListFormat('en-GB', { type: 'disjunction' });

export function oneOf<const T extends string>(...choices: readonly [T, ...T[]]): Reader<T> {
  return reader(oneOrOther.format(choices), choices[0], (text) => choices.find((choice) => choice === text) ?? invalid);
}

const onOrOff = oneOf('on', 'off');
export const isOn = reader(onOrOff.accepts, 'on', (text, place) => onOrOff(text, place) === 'on');

/** One of a list of numbers. */
export function oneOfNumbers(choices: readonly number[], example: number): Reader<number> {
  return reader(`one of ${choices.join(', ')}`, String(example), (text) => {
    const value = numberFrom(text);
    return choices.includes(value) ? value : invalid;
  });
}

function numberFrom(text: string): number {
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** Comma-separated strings; an empty string is an empty list. The error names the invalid one. */
export function list(pattern: RegExp, [one, several]: readonly [string, string], example: string): Reader<string[]> {
  return reader(`${several}, comma-separated, or nothing`, example, (text) => {
    const items = text === '' ? [] : text.split(',').map((item) => item.trim());
    const wrong = items.find((item) => !pattern.test(item));
    if (wrong === undefined) return items;
    throw new InvalidParameter(`has ${quotedValue(wrong)}, which is not the ${one}`, example);
  });
}

export function quotedValue(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 57)}…` : text);
}
