import { type Contender, contenders } from './contenders.ts';

/** The sizes of the measurements. The environment can reduce them to try things out; such figures prove nothing. */
export interface Settings {
  contenders: Contender[];
  parts: string[];
  /**
   * The number of claims that wait for a starting forwarder; the number of them the first time, as the difference is
   * the cost of one more; and the number for the one-at-a-time baseline.
   */
  backlog: number;
  middleBacklog: number;
  smallBacklog: number;
  liveClaims: number;
  liveSeconds: number;
  changesPerSecond: number;
  /** The number of claims when a forwarder is killed, and the number that are changed and deleted while it is away. */
  restartClaims: number;
  restartChanges: number;
  heldClaims: number;
  churnPerSecond: number;
  churnSeconds: number;
  /** The shorter duration of churn for baselines, which is to their advantage. */
  shortChurnSeconds: number;
}

export const partNames = ['drain', 'live', 'restart', 'memory'];
export const roundTripsMs = [0, 5];

export function readSettings(environment: Record<string, string | undefined> = process.env): Settings {
  const scale = numberIn(environment, 'BENCH_FORWARD_SCALE', 1);
  const scaled = (count: number) => Math.max(10, Math.round(count * scale));
  const churnSeconds = numberIn(environment, 'BENCH_CHURN_SECONDS', 600);
  const known = contenders.map(({ name }) => name);
  const chosen = namesIn(environment, 'BENCH_FORWARDERS', known);
  return {
    contenders: contenders.filter(({ name }) => chosen.includes(name)),
    parts: namesIn(environment, 'BENCH_FORWARD_PARTS', partNames),
    backlog: scaled(100_000),
    middleBacklog: scaled(20_000),
    smallBacklog: scaled(2_000),
    liveClaims: scaled(2_000),
    liveSeconds: Math.max(2, Math.round(30 * scale)),
    changesPerSecond: 500,
    restartClaims: scaled(10_000),
    restartChanges: scaled(300),
    heldClaims: scaled(100_000),
    churnPerSecond: 300,
    churnSeconds,
    shortChurnSeconds: Math.min(60, churnSeconds),
  };
}

function numberIn(environment: Record<string, string | undefined>, name: string, otherwise: number): number {
  const text = environment[name];
  if (!text) return otherwise;
  const number = Number(text);
  if (Number.isFinite(number) && number > 0) return number;
  throw new Error(`${name} must be a number above 0, and is ${JSON.stringify(text)}`);
}

function namesIn(environment: Record<string, string | undefined>, name: string, known: string[]): string[] {
  const text = environment[name];
  if (!text) return known;
  const names = text.split(',');
  const unknown = names.find((each) => !known.includes(each));
  if (unknown === undefined) return names;
  throw new Error(`${name} has ${JSON.stringify(unknown)}: it takes some of ${known.join(',')}`);
}
