import { type Contender, contenders } from './contenders.ts';

/** How much is measured. The environment can make it less, for trying things out; such figures prove nothing. */
export interface Settings {
  contenders: Contender[];
  parts: string[];
  /**
   * How many claims wait for a forwarder that starts; how many of them the first time, as what one more costs is the
   * difference; and how many for the one that sends one at a time.
   */
  backlog: number;
  middleBacklog: number;
  smallBacklog: number;
  liveClaims: number;
  liveSeconds: number;
  changesPerSecond: number;
  /** How many claims there are when a forwarder is killed, and how many change and go while it is away. */
  restartClaims: number;
  restartChanges: number;
  heldClaims: number;
  churnPerSecond: number;
  churnSeconds: number;
  /** A forwarder that is only compared with is kept under churn for less long, which is to its advantage. */
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
