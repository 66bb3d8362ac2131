/** The sizes of the measurements. The environment can reduce them to try things out; such figures prove nothing. */
export interface RunSettings {
  parts: readonly string[];
  heldClaims: number;
  churnPerSecond: number;
  churnSeconds: number;
  /** After this long without growth a process has read everything. */
  settledMs: number;
  handovers: number;
}

const partNames = ['memory', 'handover'];

export function readRunSettings({ BENCH_RUN_SCALE, BENCH_RUN_PARTS }: NodeJS.ProcessEnv = process.env): RunSettings {
  const scale = Number(BENCH_RUN_SCALE || 1);
  if (!(scale > 0)) throw new Error('BENCH_RUN_SCALE must be a number above 0');
  const parts = BENCH_RUN_PARTS ? BENCH_RUN_PARTS.split(',') : partNames;
  const unknown = parts.find((each) => !partNames.includes(each));
  if (unknown !== undefined) throw new Error(`BENCH_RUN_PARTS has ${unknown}: it takes some of ${partNames.join(',')}`);
  return {
    parts,
    heldClaims: Math.max(100, Math.round(10_000 * scale)),
    churnPerSecond: 200,
    churnSeconds: Math.max(2, Math.round(60 * scale)),
    settledMs: 3_000,
    handovers: Math.max(2, Math.round(10 * scale)),
  };
}
