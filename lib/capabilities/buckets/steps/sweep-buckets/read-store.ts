import { Hold, type Memory } from '../../../../runtime/memory/budget.ts';
import type { PoolShare } from '../../../../runtime/memory/pool.ts';
import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import type { Parameters } from '../../drivers/driver.ts';
import type { FindOwnedRequest, MissingResource, OwnedResource } from '../../drivers/sweepable-driver.ts';
import type { SweptStore } from '../../sweep/stores.ts';
import { type ClusterAccess, readDriverSecret } from './read-clusters.ts';

export type StoreAnswer =
  | { items: readonly OwnedResource[]; lacking: readonly MissingResource[] }
  | { problem: string };

/** A class may name an endpoint of any length. */
const maxPlaceLength = 300;

export function unreadStore({ driverName, parameters }: SweptStore, why: unknown): { problem: string } {
  const place = `${parameters.endpoint}`.slice(0, maxPlaceLength);
  return { problem: `The store of ${driverName} at ${place} could not be read: ${redactedMessageOf(why)}` };
}

/** The resources in one store, or the reason why they could not be read. */
export async function readStore(
  access: ClusterAccess,
  store: SweptStore,
  asked: Pick<FindOwnedRequest, 'deadline' | 'expected'>,
  share: PoolShare | undefined,
): Promise<StoreAnswer> {
  const { driver, parameters } = store;
  const { clusters } = access;
  const kept = share && new StoreMemory(share);
  try {
    const secrets = await secretsOf(access, store);
    const memory = kept ? { memory: kept } : {};
    const outcome = await driver.findOwned({ ...asked, ...memory, parameters, secrets, clusters });
    if (outcome.result === 'found') return outcome;
    throw new Error(outcome.message);
  } catch (error) {
    kept?.release();
    return unreadStore(store, error);
  }
}

/** The memory that one store takes from its lane's share. */
class StoreMemory implements Memory {
  private readonly share: PoolShare;
  private bytes = 0;

  constructor(share: PoolShare) {
    this.share = share;
  }

  hold(): Hold {
    return new Hold({ add: async (bytes) => this.take(bytes), subtract: (bytes) => this.take(-bytes) });
  }

  release(): void {
    this.take(-this.bytes);
  }

  private take(bytes: number): void {
    this.bytes += bytes;
    this.share.take(bytes);
  }
}

export async function secretsOf(access: ClusterAccess, { secret }: SweptStore): Promise<Parameters> {
  return secret ? readDriverSecret(access, secret) : {};
}
