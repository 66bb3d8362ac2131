import { stopIfTold } from './apply-plan.ts';
import type { Plan } from './plan.ts';
import { type Callers, type Probe, probes } from './probes.ts';
import { tryProbe } from './try-probe.ts';
import { isInTime, type Waiting } from './waiting.ts';

export interface Probed {
  /** Policies whose effect was seen. */
  inForce: string[];
  /** Those that could not be tried, each with the reason. */
  untried: { policy: string; why: string }[];
}

/**
 * The server takes seconds to bring policies into force, and does not tell when: so each is tried, with a write that it
 * must refuse or change. What is refused for another reason, such as by somebody else's policy, is reported and no more.
 */
export async function untilInForce(
  callers: Callers,
  plan: Pick<Plan, 'entries' | 'server'>,
  waiting: Waiting,
): Promise<Probed> {
  const probed: Probed = { inForce: [], untried: [] };
  for (const probe of probesFor(plan)) {
    const why = await tried(probe, callers, waiting);
    if (why === undefined) probed.inForce.push(probe.policy);
    else probed.untried.push({ policy: probe.policy, why });
  }
  return probed;
}

function probesFor({ entries, server }: Pick<Plan, 'entries' | 'server'>): Probe[] {
  const policies = new Set(
    entries
      .filter(({ action, object }) => action !== 'delete' && object.kind.endsWith('Policy'))
      .map(({ object }) => object.metadata.name),
  );
  const canBeTried = ({ policy }: Probe) =>
    policy !== 'longshore-copies-keep-their-snapshots' ||
    server.serves({ apiVersion: 'snapshot.storage.k8s.io/v1', kind: 'VolumeSnapshot' });
  return probes.filter((probe) => policies.has(probe.policy) && canBeTried(probe));
}

/** Undefined if the policy is in force; otherwise why that could not be seen. */
async function tried(probe: Probe, callers: Callers, waiting: Waiting): Promise<string | undefined> {
  let why: string | undefined;
  const isSeen = async () => {
    const seen = await tryProbe(probe, callers, ['rejected', 'denied', 'exists']);
    if (typeof seen === 'boolean') return seen;
    why = seen.why;
    return true;
  };
  if (await isInTime(waiting, isSeen)) return why;
  stopIfTold(waiting.signal);
  throw new Error(
    `${probe.policy} is installed, but not in force yet: do not let users in. Run install again to wait for it; if it takes minutes, see the log of the API server`,
  );
}
