import type { CopyingWorld } from '../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import type { ProvisioningWorld } from '../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import type { StagedObstacle, TransferObstacle } from '../../../lib/capabilities/transfers/reasons.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import * as transfers from '../../../lib/capabilities/transfers/writes.ts';
import type { Cluster, Preconditions } from '../../../lib/kubernetes/cluster.ts';
import type { Claim, ConfigMap, Namespace, Volume } from '../../../lib/kubernetes/objects.ts';
import { nameOf, type ObjectName, resources } from '../../../lib/kubernetes/resources.ts';
import { waitFor } from '../../../lib/reconcile/obstacle.ts';
import { report } from '../../../lib/reconcile/report.ts';
import type { Decision, Step, World } from '../../../lib/reconcile/step.ts';
import { patch, warn } from '../../../lib/reconcile/writes.ts';

/**
 * What must not compile, and what the compiler is to say about it. `npm run check` fails when one of these lines compiles;
 * typed-seam.test.ts looks at what is said. None of it is ever run.
 */

const claimPart = { slot: 'source', resource: resources.claim } as const;
const volumeAsSource = { slot: 'source', resource: resources.volume } as const;
const noSuchPart = { slot: 'sorce', resource: resources.claim } as const;
const namespacePart = { slot: 'sourceNamespace', resource: resources.namespace } as const;

export async function reads(cluster: Cluster): Promise<unknown[]> {
  const pod = nameOf(resources.pod, 'prod', 'app');
  // @ts-expect-error: 'Pod | undefined' is not assignable to type 'Claim | undefined'
  const one: Claim | undefined = await cluster.get(pod);
  // @ts-expect-error: 'ObjectName<Pod>' is not assignable to parameter of type 'ObjectName<Claim>'
  const two = await cluster.get<Claim>(pod);
  // @ts-expect-error: 'Volume[]' is not assignable to type 'Claim[]'
  const many: Claim[] = await cluster.list(resources.volume, undefined);
  // @ts-expect-error: 'Secret | undefined' is not assignable to type 'ConfigMap | undefined'
  const alike: ConfigMap | undefined = await cluster.get(nameOf(resources.secret, 'prod', 'keys'));
  // @ts-expect-error: 'ObjectName<Pod>' is not assignable to type 'ObjectName<Volume>'
  const name: ObjectName<Volume> = pod;
  return [one, two, many, alike, name];
}

export function writes(claim: Claim, volume: Volume, namespace: Namespace): unknown[] {
  // @ts-expect-error: Type 'WriteDecision<"sorce", Claim,
  const noSlot: Decision<TransferWorld> = patch(noSuchPart, claim, {});
  // @ts-expect-error: Type 'WriteDecision<"source", Volume,
  const ofAnotherKind: Decision<TransferWorld> = patch(volumeAsSource, volume, {});
  // @ts-expect-error: Type 'WriteDecision<"sourceNamespace", Namespace,
  const onlyRead: Decision<TransferWorld> = patch(namespacePart, namespace, {});
  // @ts-expect-error: Type 'WriteDecision<"source", Claim,
  const ofAnotherWorld: Decision<CopyingWorld> = patch(claimPart, claim, {});
  // @ts-expect-error: 'Volume' is not assignable to parameter of type 'Claim'
  const object = patch(claimPart, volume, {});
  // @ts-expect-error: 'Claim' is not assignable to parameter of type 'Volume'
  const inCapability = transfers.patch('volume', claim, {});
  return [noSlot, ofAnotherKind, onlyRead, ofAnotherWorld, object, inCapability];
}

export function slots(world: TransferWorld, decide: () => Decision<CopyingWorld>): unknown[] {
  // @ts-expect-error: 'Slot | undefined' and '"sorce"' have no overlap
  const refused = world.refused?.slot === 'sorce';
  // @ts-expect-error: '"sorce"' is not assignable to parameter of type 'Slot'
  const answered = world.answered?.includes('sorce');
  const call = { operation: 'CreateBucket', about: 'data', request: {} };
  // @ts-expect-error: '"content"' is not assignable to type '"created" | "deleted" | "granted" | "revoked"'
  const called: Decision<ProvisioningWorld> = { do: 'call', call: { ...call, slot: 'content' } };
  // @ts-expect-error: '() => Decision<CopyingWorld>' is not assignable to type
  const step: Pick<Step<TransferWorld>, 'decide'> = { decide };
  // @ts-expect-error: 'Decision<World<string, string>>' is not assignable to type 'Decision<TransferWorld>'
  const ofNoWorld: Decision<TransferWorld> = decide() as Decision<World>;
  return [refused, answered, called, step, ofNoWorld];
}

export function reasons(claim: Claim, volume: Volume): unknown[] {
  // @ts-expect-error: 'Obstacle<"SourceMising">' is not assignable to type 'TransferObstacle'
  const obstacle: TransferObstacle = waitFor('SourceMising', 'it is not there');
  // @ts-expect-error: 'Obstacle<"NotOffered">' is not assignable to type 'StagedObstacle'
  const unstaged: StagedObstacle = waitFor('NotOffered', 'it is not offered');
  // @ts-expect-error: Type '"NoTranfer"' is not assignable to type
  const outcome: Decision<TransferWorld> = { do: 'done', reason: 'NoTranfer' };
  // @ts-expect-error: Type '"PodsToOld"' is not assignable to type
  const reread: Decision<TransferWorld> = { do: 'reread', reason: 'PodsToOld' };
  // @ts-expect-error: 'Announcement<"SourceVanish">' is not assignable to type
  const event = transfers.patch('volume', volume, {}, { announce: [warn(volume, 'SourceVanish', 'it is gone')] });
  const said = [{ type: 'Transferred', status: 'False', reason: 'TargetDiffer', message: 'it differs' } as const];
  const part = { ...claimPart, readiness: 'none' as const, isOurs: () => true };
  // @ts-expect-error: Type 'WriteDecision<"source", Claim, "TargetDiffer">
  const condition: Decision<TransferWorld> | undefined = report(part, claim, { said }, new Date());
  return [obstacle, unstaged, outcome, reread, event, condition];
}

export function strings({ metadata: { uid = '', resourceVersion = '', name, namespace } }: Claim): unknown[] {
  // @ts-expect-error: 'Uid' is not assignable to type 'ResourceVersion'
  const version: Preconditions = { uid, resourceVersion: uid };
  // @ts-expect-error: 'Name' is not assignable to type 'Uid'
  const identity: Preconditions = { uid: name, resourceVersion };
  // @ts-expect-error: 'Uid' is not assignable to parameter of type 'Name'
  const called = nameOf(resources.claim, namespace, uid);
  // @ts-expect-error: 'Name' is not assignable to parameter of type 'NamespaceName | undefined'
  const swapped = nameOf(resources.claim, name, 'data');
  // @ts-expect-error: 'Uid' and 'Name' have no overlap
  const same = uid === name;
  return [version, identity, called, swapped, same];
}
