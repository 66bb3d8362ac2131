import { Option } from '@commander-js/extra-typings';
import { parseDuration } from '../../lib/runtime/parse-duration.ts';
import { UsageError } from './usage-error.ts';

const examples = '30s, 2m or 1h30m';
const secondMs = 1_000;
const maxSeconds = 1_000 * 86_400;

interface Range {
  min?: number;
  max?: number;
}

/** A duration such as `30s`, `2m` or `1h30m`, in seconds; a number alone is in seconds as well. */
export const seconds =
  (option: string, { min = 1, max = maxSeconds }: Range = {}) =>
  (text: string): number => {
    const given = /^\d{1,9}$/.test(text) ? Number(text) : (parseDuration(text) ?? Number.NaN) / secondMs;
    if (given >= min && given <= max) return given;
    const range = max === maxSeconds ? '' : ` from ${min} to ${max} seconds`;
    throw new UsageError(`${option} must be a duration${range}, such as ${examples}, but is ${text}`);
  };

/** The same in milliseconds. */
export const duration = (option: string) => (text: string) => seconds(option)(text) * secondMs;

const described = (what: string, usual: string) => `${what}, such as ${examples} (default: ${usual})`;

/** For commands that wait until something is done; in milliseconds. */
export const timeoutOption = (usual: string) =>
  new Option('--timeout <duration>', described('how long to wait', usual)).argParser(duration('--timeout'));

/** For commands that wait for an answer; in seconds. */
export const timeoutInSeconds = (what: string, usual: string, max: number) =>
  new Option('--timeout <duration>', described(`how long to wait ${what}`, usual)).argParser(
    seconds('--timeout', { max }),
  );
