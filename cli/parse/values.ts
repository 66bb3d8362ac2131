import { Option } from '@commander-js/extra-typings';
import { parseTime, timeExamples } from '../../lib/runtime/parse-time.ts';
import { UsageError } from './usage-error.ts';

/** For an option that may be repeated. */
export const repeated = (value: string, previous: readonly string[] = []): readonly string[] => [...previous, value];

/** A whole number in a range. */
export const wholeNumber =
  (option: string, least: number, most: number) =>
  (text: string): number => {
    const number = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    if (number >= least && number <= most) return number;
    throw new UsageError(`${option} must be a whole number from ${least} to ${most}, but is ${text}`);
  };

/** Some of these words, separated by commas. */
export const someOf =
  <const Word extends string>(option: string, words: readonly Word[]) =>
  (text: string): readonly Word[] => {
    const given = text.split(',').map((word) => word.trim());
    const unknown = given.find((word) => !words.some((known) => known === word));
    if (unknown === undefined) return words.filter((known) => given.includes(known));
    throw new UsageError(`${option} must be some of ${words.join(',')}, but has ${JSON.stringify(unknown)}`);
  };

/** A text that says something. */
export const notEmpty =
  (option: string) =>
  (text: string): string => {
    if (text === '') throw new UsageError(`${option} must not be empty`);
    return text;
  };

/** A time such as `2026-11-19T03:00Z`, or one before now such as `90m`, `6h` or `2d`. */
export function readTime(option: string, text: string, now: Date): Date {
  const time = parseTime(text, now);
  if (time) return time;
  throw new UsageError(`${option} must be a time with a time zone, such as ${timeExamples}; but is ${text}`);
}

/** A time, as an option. */
export const time =
  (option: string) =>
  (text: string): Date =>
    readTime(option, text, new Date());

/** An option that earlier releases had: it is refused with what to type instead. */
export function renamed(old: string, instead: string): Option<string, undefined, undefined> {
  return new Option(`${old} [value]`)
    .hideHelp()
    .preset('')
    .argParser((): never => {
      throw new UsageError(`${old} has been renamed: use ${instead}`);
    }) as unknown as Option<string, undefined, undefined>;
}
