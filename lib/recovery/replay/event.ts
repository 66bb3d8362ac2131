import { kindNamed } from '../../kubernetes/kind-names.ts';
import { parseTime, timeExamples } from '../../runtime/parse-time.ts';
import type { RunOptions } from './run.ts';
import { defaultRate, maxRate } from './spec.ts';

const texts = ['from', 'to', 'cluster', 'kind', 'namespace', 'name', 'function', 'resume'] as const;
const flags = ['oncePerKey', 'skipDamaged', 'dryRun'] as const;
const known: readonly string[] = [...texts, ...flags, 'rate'];
/** The options of a resumed run; it has stored all others. */
const forResumed: readonly string[] = ['resume', 'rate', 'skipDamaged'];

type Given = { [text in (typeof texts)[number]]?: string } & { [flag in (typeof flags)[number]]?: boolean } & {
  rate?: number;
};

/** The event that invokes the function. Unknown fields are refused, before anything is sent. */
export function readEvent(event: unknown, now: Date): RunOptions {
  const given = checked(event);
  const { resume, rate = defaultRate, oncePerKey = false, skipDamaged = false, dryRun: isDryRun = false } = given;
  const how = { ratePerSecond: rate, skipDamaged, isDryRun };
  if (resume !== undefined) {
    const other = Object.keys(given).find((field) => !forResumed.includes(field));
    if (other !== undefined)
      throw wrong(`${other} cannot be used with resume: a resumed run replays what it began with`);
    return { ...how, begin: { resume } };
  }
  const { from, to, cluster, kind, namespace, name, function: functionName } = given;
  if (from === undefined) throw wrong('from is missing: set the start of the time range');
  const range = { from: moment('from', from, now), to: to === undefined ? now : moment('to', to, now) };
  if (range.from >= range.to) throw wrong('from must be before to');
  const filter = present({ function: functionName, kind: kind && kindOf(kind), namespace, name });
  return { ...how, begin: { ...range, cluster, filter, oncePerKey } };
}

function checked(event: unknown): Given {
  if (typeof event !== 'object' || event === null || Array.isArray(event)) throw wrong('it must be a JSON object');
  for (const [field, value] of Object.entries(event)) {
    if (!known.includes(field))
      throw wrong(`unknown field ${JSON.stringify(field)}; known fields are ${known.join(', ')}`);
    if (texts.some((each) => each === field) && (typeof value !== 'string' || value === '')) {
      throw wrong(`${field} must be a string`);
    }
    if (flags.some((each) => each === field) && typeof value !== 'boolean')
      throw wrong(`${field} must be true or false`);
  }
  const { rate } = event as { rate?: unknown };
  const isRate = rate === undefined || (Number.isInteger(rate) && Number(rate) >= 1 && Number(rate) <= maxRate);
  if (!isRate) throw wrong(`rate must be a whole number of messages per second, from 1 to ${maxRate}`);
  return event as Given;
}

function moment(field: string, text: string, now: Date): Date {
  const found = parseTime(text, now);
  if (found) return found;
  throw wrong(`${field} must be a time with a time zone, such as ${timeExamples}; but is ${text}`);
}

function kindOf(name: string): string {
  const found = kindNamed(name);
  if (found) return found.kind;
  throw wrong(`unknown kind ${JSON.stringify(name)}`);
}

function present<T extends object>(fields: T): { [field in keyof T]?: NonNullable<T[field]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [field in keyof T]?: NonNullable<T[field]>;
  };
}

function wrong(problem: string): Error {
  return new Error(`${problem}. Nothing was sent. A valid event is, for example, {"from":"6h"}; see docs/replay.md`);
}
