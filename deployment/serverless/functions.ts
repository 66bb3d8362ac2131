import { archiveName } from './archive.ts';
import type { Parameters } from './parameters.ts';
import { isGiving } from './roles.ts';
import { type FunctionBlock, type FunctionEvent, prefixOf, queueOf } from './service.ts';
import { substituted } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/** The run that is at work, and one that waits for it to end. */
const runsOfOneCluster = 2;

/** Completes a function's block by what follows from it: what its variables are, and what is made for it. */
export function completeFunction(name: string, surroundings: Surroundings): FunctionBlock {
  const { service, parameters } = surroundings;
  const { reservedConcurrency: wanted, ...block } = service.functions[name] ?? {};
  const reserved = reservedConcurrency(name, { ...block, wanted }, parameters);
  return {
    ...block,
    // By way of Fn::Sub: osls would add a dependency on the role that is there already.
    role: substituted(`\${${prefixOf(name)}Role.Arn}`),
    package: { artifact: `.build/${name}/${name}.zip` },
    environment: { ...variables(name, surroundings), ...block.environment },
    ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
    events: eventsOf(name, block, parameters),
  };
}

function variables(name: string, { service, parameters }: Surroundings): Record<string, unknown> {
  const { sendsTo, archive, ...block } = service.functions[name] ?? {};
  const queue = queueOf(block);
  const boundary = parameters['permissions-boundary'];
  return {
    LONGSHORE_FUNCTION: name,
    ...(queue
      ? { LONGSHORE_QUEUE_URL: { Ref: queue }, LONGSHORE_MAX_RECEIVES: String(service.custom.maxReceives) }
      : {}),
    ...(sendsTo ? { LONGSHORE_QUEUES: addresses(sendsTo, service.functions) } : {}),
    ...(isGiving(block) && boundary ? { LONGSHORE_PERMISSIONS_BOUNDARY: boundary } : {}),
    ...(archive && parameters.archive ? { LONGSHORE_ARCHIVE: archiveName } : {}),
  };
}

function addresses(names: readonly string[], functions: Readonly<Record<string, FunctionBlock>>): object {
  const entries = names.map((name) => [name, `\${${queueOf(functions[name] ?? {})}}`]);
  return substituted(JSON.stringify(Object.fromEntries(entries)));
}

/** What starts it; for the forwarder one schedule for each cluster, whose run is one of its own. */
function eventsOf(name: string, { events = [] }: FunctionBlock, parameters: Parameters): FunctionEvent[] {
  if (name === 'resync') return parameters['resync-schedule'] ? events : [];
  if (name !== 'forward') return events;
  if (!parameters['forward-schedule']) return [];
  return parameters.clusters.map(({ name: cluster }) => ({
    schedule: { rate: ['rate(1 minute)'], input: { cluster } },
  }));
}

interface Reserving extends FunctionBlock {
  wanted: number | undefined;
}

/** Undefined is no reservation: the function shares what the account has left. */
function reservedConcurrency(name: string, block: Reserving, parameters: Parameters): number | undefined {
  const { 'reserved-concurrency': whose, 'step-maximum-concurrency': most, clusters } = parameters;
  if (queueOf(block)) return whose === 'all' ? most : undefined;
  if (whose === 'none' || block.wanted === undefined) return undefined;
  return name === 'forward' ? runsOfOneCluster * clusters.length : block.wanted;
}
