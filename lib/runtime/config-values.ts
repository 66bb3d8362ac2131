import * as v from 'valibot';

/** Schemas of configuration values. Each message completes a sentence that begins with the place of the value. */

export class ConfigError extends Error {
  constructor(place: string, problem: string) {
    super(`${place} ${problem}`);
    this.name = 'ConfigError';
  }
}

export type Schema<T> = v.GenericSchema<unknown, T>;

/** The value as the schema has it. The error names the first place that is wrong, such as `LONGSHORE_CLUSTERS[0].name`. */
export function readValue<T>(variable: string, schema: Schema<T>, value: unknown): T {
  const result = v.safeParse(schema, value, { abortEarly: true });
  if (result.success) return result.output;
  const [{ message, path = [] }] = result.issues;
  const place = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  throw new ConfigError(`${variable}${place}`, message);
}

/** A string of JSON whose value has this schema. */
export function json<T>(schema: Schema<T>): Schema<T> {
  return v.pipe(v.string(), v.parseJson(undefined, 'is not JSON'), schema);
}

export const noObject = 'must be a JSON object';

/** To schemas of objects, an array is an object without these fields. */
export const plainObject = v.custom<Record<string, unknown>>(
  (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  noObject,
);

/** Unknown fields are errors: a misspelt one would be ignored. `why` completes the message about a missing one. */
export function object<const Entries extends v.ObjectEntries>(entries: Entries, why = '') {
  return v.strictObject(entries, ({ expected }: v.StrictObjectIssue) => {
    if (expected === 'Object') return noObject;
    return expected === 'never' ? `is unknown; known are ${Object.keys(entries).join(', ')}` : `is missing${why}`;
  });
}

/** A string that is not empty, and meets the condition. */
export function string(accepts: string, isValid: (text: string) => boolean = () => true) {
  const message = `must be ${accepts}`;
  return v.pipe(
    v.string(message),
    v.check((text) => text !== '' && isValid(text), message),
  );
}

/** A whole number that is written as a string. */
export function count(accepts: string): Schema<number> {
  const isCount = (text: string) => Number.isInteger(Number(text)) && Number(text) >= 1;
  return v.pipe(string(accepts, isCount), v.transform(Number));
}

const dimensionProblem =
  'must be of 1 to 255 printable characters of ASCII, not all blanks, with no colon at the beginning: write a name such as "main" or "prod/eu west"';

/** CloudWatch accepts nothing else as a dimension's value, and would silently drop the metrics. */
export const dimension = v.pipe(
  v.string('must be a string'),
  v.check((text) => /^(?!:)[ -~]{1,255}$/.test(text) && text.trim() !== '', dimensionProblem),
);
