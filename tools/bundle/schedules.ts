/** The parts of a service that are read and changed here; its variables are resolved by then. */
interface Service {
  custom?: { forwardSchedule?: unknown };
  provider: { environment?: { LONGSHORE_CLUSTERS?: unknown } };
  functions: { forward?: { events?: unknown[]; reservedConcurrency?: number } };
}

/** The run that is at work, and one that waits for it to end. */
const runsOfOneCluster = 2;

/** One schedule for each cluster, whose forwarder is a run of its own; and room for the runs of all of them. */
export function scheduleEachCluster({ custom, provider, functions }: Service): void {
  const { forward } = functions;
  if (!forward) return;
  const names = clusterNames(provider.environment?.LONGSHORE_CLUSTERS);
  const schedules = names.map((cluster) => ({ schedule: { rate: ['rate(1 minute)'], input: { cluster } } }));
  forward.events = isScheduled(custom?.forwardSchedule) ? schedules : [];
  forward.reservedConcurrency = runsOfOneCluster * names.length;
}

function isScheduled(setting: unknown): boolean {
  if (setting !== 'on' && setting !== 'off') {
    throw new Error(`the parameter forward-schedule must be on or off, but is ${JSON.stringify(setting)}`);
  }
  return setting === 'on';
}

function clusterNames(text: unknown): string[] {
  const example = `--param clusters='[{"name":"main","access":{"type":"kubeconfig","from":"secretsmanager:…"}}]'`;
  const refuse = (problem: string) => new Error(`the parameter clusters ${problem}: ${example}`);
  if (typeof text !== 'string') throw refuse('is missing');
  const parsed = parse(text);
  if (!Array.isArray(parsed) || parsed.length === 0) throw refuse('must be a JSON array of at least one cluster');
  const names = parsed.map((cluster: { name?: unknown } | null) => cluster?.name);
  const legal = names.filter((name): name is string => typeof name === 'string' && name !== '');
  if (legal.length < names.length) throw refuse('has a cluster without a name');
  return legal;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
