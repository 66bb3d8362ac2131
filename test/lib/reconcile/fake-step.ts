import type { Cluster } from '../../../lib/kubernetes/cluster.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { nameOf, resources } from '../../../lib/kubernetes/resources.ts';
import type { Decision, Step, World } from '../../../lib/reconcile/step.ts';
import { claim } from '../../support/builders.ts';

/** A world of one claim, whose goal is a number of patches. */
export interface CountWorld extends World<'claim'> {
  readonly claim?: Claim | undefined;
  readonly reads: number;
}

export const object = nameOf(resources.claim, 'prod', 'data');
export const key = { namespace: 'prod', name: 'data' };
export const now = () => new Date('2026-03-01T12:00:00Z');

export const countOf = (world: CountWorld): number => Number(world.claim?.metadata.annotations?.count ?? 0);

export function patchTo(count: number, world: CountWorld): Decision<CountWorld> {
  const { uid = '', resourceVersion = '' } = world.claim?.metadata ?? {};
  const body = { metadata: { annotations: { count: String(count) } } };
  return {
    do: 'write',
    write: { verb: 'patch', slot: 'claim', object, body, preconditions: { uid, resourceVersion } },
  };
}

/** Counts up to the goal by one patch a turn. */
export function countTo(goal: number, overrides: Partial<Step<CountWorld>> = {}): Step<CountWorld> {
  let reads = 0;
  return {
    name: 'count',
    resource: resources.claim,
    read: async (cluster) => {
      reads += 1;
      return { claim: await cluster.get(object), reads };
    },
    decide: (world) => (countOf(world) < goal ? patchTo(countOf(world) + 1, world) : { do: 'done', reason: 'Counted' }),
    decideFailed: (world, message) =>
      countOf(world) === -1 ? { do: 'reject', reason: 'Failed', message } : patchTo(-1, world),
    ...overrides,
  };
}

/** Holds one claim. Each call may be answered by a failure of the list, in its order. */
export class FakeCluster implements Cluster {
  readonly name = 'test';
  readonly calls: string[] = [];
  claim = claim();
  private readonly failures: (ClusterError | Error | undefined)[];

  constructor(...failures: (ClusterError | Error | undefined)[]) {
    this.failures = failures;
  }

  get = async (): Promise<never> => this.claim as never;
  list = async (): Promise<never[]> => [];
  create = async (_: unknown, body: object): Promise<never> => this.answer('create', body) as never;
  delete = async (): Promise<undefined> => void this.answer('delete', {});

  patch = async (_: unknown, body: object): Promise<never> => {
    this.answer('patch', body);
    const { annotations } = (body as Claim).metadata;
    const resourceVersion = String(Number(this.claim.metadata.resourceVersion) + 1);
    this.claim = claim({ metadata: { ...(annotations ? { annotations } : {}), resourceVersion } });
    return this.claim as never;
  };

  private answer(call: string, body: object): object {
    this.calls.push(call);
    const failure = this.failures.shift();
    if (failure) throw failure;
    return body;
  }
}

export const conflict = () => new ClusterError('conflict', 'the object has been modified', 409);
export const rejected = () => new ClusterError('rejected', 'exceeded quota', 403);
