import { archiveName } from './archive.ts';
import type { DeploymentContext } from './deployment-context.ts';
import type { Parameters } from './parameters.ts';
import { grantsPermissions } from './role-resources.ts';
import { areRulesOff } from './rules.ts';
import { type FunctionBlock, type FunctionEvent, prefixOf, queueOf } from './service.ts';
import { substituted } from './statements.ts';

/** The active run, and one that waits for it to end. */
const runsOfOneCluster = 2;
/** And one that has a cluster which came back while the active run was in its midst. */
const runsOfSeveralClusters = 3;

/** The clusters of each run of the forwarder. */
function runsOf({ clusters, 'forward-clusters-per-run': most }: Parameters): string[][] {
  const count = Math.ceil(clusters.length / most);
  return Array.from({ length: count }, (_, index) => {
    return clusters.slice(index * most, (index + 1) * most).map(({ name }) => name);
  });
}

/** Completes a function's block with its role, package, variables and events. */
export function completeFunction(name: string, context: DeploymentContext): FunctionBlock {
  const { service, parameters } = context;
  const { reservedConcurrency: wanted, ...block } = service.functions[name] ?? {};
  const reserved = reservedConcurrency(name, { ...block, wanted }, parameters);
  return {
    ...block,
    // Fn::Sub, as osls would add a redundant dependency on the role.
    role: substituted(`\${${prefixOf(name)}Role.Arn}`),
    package: { artifact: `.build/${name}/${name}.zip` },
    environment: { ...variables(name, context), ...block.environment },
    ...(reserved === undefined ? {} : { reservedConcurrency: reserved }),
    events: eventsOf(name, block, context),
  };
}

function variables(name: string, { service, parameters }: DeploymentContext): Record<string, unknown> {
  const { sendsTo, archive, ...block } = service.functions[name] ?? {};
  const queue = queueOf(block);
  const boundary = parameters['permissions-boundary'];
  return {
    LONGSHORE_FUNCTION: name,
    ...(queue
      ? { LONGSHORE_QUEUE_URL: { Ref: queue }, LONGSHORE_MAX_RECEIVES: String(service.custom.maxReceives) }
      : {}),
    ...(sendsTo ? { LONGSHORE_QUEUES: addresses(sendsTo, service.functions) } : {}),
    ...(grantsPermissions(block) && boundary ? { LONGSHORE_PERMISSIONS_BOUNDARY: boundary } : {}),
    ...(archive && parameters.archive ? { LONGSHORE_ARCHIVE: archiveName } : {}),
  };
}

function addresses(names: readonly string[], functions: Readonly<Record<string, FunctionBlock>>): object {
  const entries = names.map((name) => [name, `\${${queueOf(functions[name] ?? {})}}`]);
  return substituted(JSON.stringify(Object.fromEntries(entries)));
}

/** A function's events; for the forwarder one schedule for each run and its clusters. */
function eventsOf(name: string, block: FunctionBlock, context: DeploymentContext): FunctionEvent[] {
  const { events = [] } = block;
  const { parameters } = context;
  if (areRulesOff(block, context))
    return events.map(({ sqs, ...each }) => (sqs ? { sqs: { ...sqs, enabled: false } } : each));
  if (name === 'resync') return parameters['resync-schedule'] ? events : [];
  if (name !== 'forward') return events;
  if (!parameters['forward-schedule']) return [];
  return runsOf(parameters).map((names) => {
    const [cluster = '', ...others] = names;
    const input = others.length === 0 ? { cluster } : { clusters: names };
    return { schedule: { rate: ['rate(1 minute)'], input } };
  });
}

interface ReservableBlock extends FunctionBlock {
  wanted: number | undefined;
}

/** Undefined means no reservation: the function shares the rest of the account's concurrency. */
function reservedConcurrency(name: string, block: ReservableBlock, parameters: Parameters): number | undefined {
  const { 'reserved-concurrency': whose, 'step-maximum-concurrency': most } = parameters;
  if (queueOf(block)) return whose === 'all' ? most : undefined;
  if (whose === 'none' || block.wanted === undefined) return undefined;
  if (name !== 'forward') return block.wanted;
  const ofEach = runsOf(parameters).map(({ length }) => (length > 1 ? runsOfSeveralClusters : runsOfOneCluster));
  return ofEach.reduce((sum, each) => sum + each, 0);
}
