import { Hold, type Memory } from '../../../../runtime/memory/budget.ts';
import type { PoolShare } from '../../../../runtime/memory/pool.ts';
import { redactedMessageOf } from '../../../../runtime/redaction.ts';
import type { Parameters } from '../../drivers/driver.ts';
import type { FindOwnedRequest, Lacking, Owned } from '../../drivers/owned.ts';
import type { SweptStore } from '../../sweep/stores.ts';
import { type Access, readDriverSecret } from './read.ts';

export type Answer = { items: readonly Owned[]; lacking: readonly Lacking[] } | { problem: string };

/** A class may name an address of any length. */
const maxPlaceLength = 300;

export function notLookedInto({ driverName, parameters }: SweptStore, why: unknown): { problem: string } {
  const place = `${parameters.endpoint}`.slice(0, maxPlaceLength);
  return { problem: `The store of ${driverName} at ${place} could not be read: ${redactedMessageOf(why)}` };
}

/** What there is in one store, or why that cannot be said. */
export async function ask(
  access: Access,
  store: SweptStore,
  asked: Pick<FindOwnedRequest, 'deadline' | 'expected'>,
  share: PoolShare | undefined,
): Promise<Answer> {
  const { driver, parameters } = store;
  const { clusters } = access;
  const kept = share && new Kept(share);
  try {
    const secrets = await secretsOf(access, store);
    const memory = kept ? { memory: kept } : {};
    const outcome = await driver.findOwned({ ...asked, ...memory, parameters, secrets, clusters });
    if (outcome.result === 'found') return outcome;
    throw new Error(outcome.message);
  } catch (error) {
    kept?.release();
    return notLookedInto(store, error);
  }
}

/** What one store has taken of the memory of its lane. */
class Kept implements Memory {
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

export async function secretsOf(access: Access, { secret }: SweptStore): Promise<Parameters> {
  return secret ? readDriverSecret(access, secret) : {};
}
