import type { Position } from './position.ts';
import type { ReplaySpec } from './spec.ts';
import type { Summary } from './summary.ts';

/** The stored state of a run, so that it can be resumed after any interruption. */
export interface ReplayRecord {
  runId: string;
  startedAt: Date;
  wish: ReplaySpec;
  /** Everything before is on its queue, or counted as left out. */
  position: Position | undefined;
  /** The outcomes of everything before, and of nothing else: the rest is counted by the resumed run. */
  summary: Summary;
  isDone: boolean;
}

/** The store of records. */
export interface Records {
  /** Its location, for error messages. */
  readonly place: string;
  read(runId: string): Promise<string | undefined>;
  write(runId: string, text: string): Promise<void>;
}

const version = 1;

export function isRunId(text: string): boolean {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$/.test(text);
}

export function recordText({ position, ...record }: ReplayRecord): string {
  return `${JSON.stringify({ version, ...record, ...(position ? { position } : {}) }, null, 2)}\n`;
}

/** Throws if it is not a record of this run: resuming at a wrong position would leave messages out. */
export function parseRecord(text: string, runId: string): ReplayRecord {
  const fields = parse(text);
  const { wish, summary, position } = fields ?? {};
  const isOurs = fields?.version === version && fields.runId === runId;
  if (!isOurs || !isSpec(wish) || !isPosition(position, wish) || !isSummary(summary)) {
    throw new Error(`the record of run ${runId} is damaged, or comes from a later release: start a new run`);
  }
  return {
    runId,
    startedAt: new Date(String(fields.startedAt)),
    wish: { ...wish, from: new Date(wish.from), to: new Date(wish.to) },
    position,
    summary,
    isDone: fields.isDone === true,
  };
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

type SavedSpec = Omit<ReplaySpec, 'from' | 'to'> & { from: string; to: string };

function isSpec(value: unknown): value is SavedSpec {
  const { from, to, clusters, filter } = (value ?? {}) as Partial<SavedSpec>;
  const areTimes = [from, to].every((time) => typeof time === 'string' && !Number.isNaN(Date.parse(time)));
  return areTimes && Array.isArray(clusters) && typeof filter === 'object' && filter !== null;
}

function isPosition(value: unknown, { clusters }: SavedSpec): value is Position | undefined {
  if (value === undefined) return true;
  const { cluster, segment, lines } = (value ?? {}) as Partial<Position>;
  return clusters.includes(String(cluster)) && typeof segment === 'string' && Number.isInteger(lines);
}

function isSummary(value: unknown): value is Summary {
  const { replayed, noQueue, refused, damaged, others, repeated, moreDamaged } = (value ?? {}) as Partial<Summary>;
  return (
    [replayed, noQueue, refused, damaged].every(Array.isArray) &&
    [others, repeated, moreDamaged].every(Number.isInteger)
  );
}
