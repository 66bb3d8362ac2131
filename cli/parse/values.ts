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
