import { type ParseArgsConfig, parseArgs } from 'node:util';
import { errorText } from '../../lib/runtime/error-text.ts';
import { parseTime, timeExamples } from '../../lib/runtime/parse-time.ts';
import { UsageError } from './usage-error.ts';

type Described = NonNullable<ParseArgsConfig['options']>;

/** The values of these options; anything else is a usage error. */
export function readOptions<const Options extends Described>(given: string[], options: Options) {
  return readWithNames(given, options, 0).values;
}

/** The same, with at most this many positional arguments. */
export function readWithNames<const Options extends Described>(given: string[], options: Options, maxNames: number) {
  const { values, positionals } = parse(given, options);
  const tooMany = positionals[maxNames];
  if (tooMany !== undefined) throw new UsageError(`unexpected argument ${JSON.stringify(tooMany)}`);
  return { values, names: positionals };
}

function parse<const Options extends Described>(given: string[], options: Options) {
  try {
    return parseArgs({ args: given, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(errorText(error));
  }
}

/** Refuses options that earlier releases had, and says what to type instead. */
export function refuseRenamed(given: readonly string[], renamed: Readonly<Record<string, string>>): void {
  for (const [old, instead] of Object.entries(renamed)) {
    if (given.some((each) => each === old || each.startsWith(`${old}=`))) {
      throw new UsageError(`${old} has been renamed: use ${instead}`);
    }
  }
}

/** A time such as `2026-11-19T03:00Z`, or one before now such as `90m`, `6h` or `2d`. */
export function readTime(option: string, text: string, now: Date): Date {
  const time = parseTime(text, now);
  if (time) return time;
  throw new UsageError(`--${option} must be a time with a time zone, such as ${timeExamples}; but is ${text}`);
}

/** A whole number in a range. */
export function readCount(option: string, text: string, least: number, most: number): number {
  const count = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (count >= least && count <= most) return count;
  throw new UsageError(`--${option} must be a whole number from ${least} to ${most}, but is ${text}`);
}
