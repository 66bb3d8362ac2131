import { bucketAnnotation, finalizer } from '../../../lib/capabilities/buckets/names.ts';
import type { BucketContent } from '../../../lib/capabilities/buckets/objects.ts';
import type { BindingWorld } from '../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import type { CopyingWorld } from '../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import type { ProvisioningWorld } from '../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Call, Step, World, Write } from '../../../lib/reconcile/step.ts';
import type { Mutant } from '../capability.ts';
import { neverReconsidering, reconsideringNothingFor } from '../forgetful-routers.ts';
import { mergePatch } from '../merge-patch.ts';
import { bodyOf, changing, type Decide, deciding, reading, seeing, toNothing } from '../mutating.ts';
import { mutantsOfOthers, only } from './mutants-of-others.ts';
import type { UserAction } from './user-actions.ts';

type BucketMutant = Mutant<World, UserAction>;

/** Sequences that are wrong on purpose. If the simulation let one pass, its passing the right one would mean nothing. */
export const mutants: BucketMutant[] = [
  { name: 'class-deletes-all', step: only('provision-bucket', seeing(withPolicyDelete)), actions: ['write objects'] },
  {
    name: 'content-alone-releases',
    step: only('provision-bucket', seeing(withoutBucket)),
    actions: ['delete content', 'write objects'],
  },
  { name: 'lost-bucket-released', step: only('provision-bucket', deciding(releaseLost)), actions: ['strip bucket'] },
  { name: 'released-before-revoked', step: only('provision-bucket', seeing(assumeRevoked)) },
  { name: 'revocation-assumed', step: assumeCall('RevokeBucketAccess', { result: 'revoked', found: true }) },
  { name: 'deletion-assumed', step: assumeCall('DeleteBucket', { result: 'deleted' }) },
  { name: 'lease-ignored', step: only('provision-bucket', deciding(leaseIgnored)) },
  { name: 'held-key-forgotten', step: forgetHeld },
  { name: 'ready-while-made-again', step: changing(takesLease, withoutPhase), actions: ['delete source secret'] },
  { name: 'content-not-held', step: changing((write) => write.slot === 'content' && write.verb === 'create', unheld) },
  { name: 'bucket-not-held', step: only('bind-bucket', seeing(assumeHeld)) },
  { name: 'secret-overwritten', step: only('copy-secret', seeing(assumeOwned)), actions: ['take secret name'] },
  {
    name: 'secret-not-repaired',
    step: changing((write) => write.slot === 'target' && write.verb === 'patch', toNothing),
    actions: ['edit secret', 'disown secret'],
  },
  {
    name: 'secret-not-repeated',
    step: only('provision-bucket', reading(assumeSecret)),
    actions: ['delete source secret'],
  },
  ...mutantsOfOthers,
  { name: 'bucket-not-reconsidered', router: neverReconsidering(resources.bucket) },
  { name: 'class-not-reconsidered', router: neverReconsidering(resources.bucketClass) },
  { name: 'not-reconsidered-after-secrets', router: reconsideringNothingFor(resources.secret) },
  { name: 'bound-before-copied', step: only('bind-bucket', seeing(assumeCopied)), actions: ['take secret name'] },
];

function withPolicyDelete(world: ProvisioningWorld): ProvisioningWorld {
  if (!world.content?.metadata.deletionTimestamp) return world;
  return changedContent(world, { spec: { releasePolicy: 'Delete', flow: 'Greenfield' } });
}

function withoutBucket(world: ProvisioningWorld): ProvisioningWorld {
  return world.content?.metadata.deletionTimestamp ? { ...world, bucket: undefined } : world;
}

function releaseLost(decide: Decide<ProvisioningWorld>, world: ProvisioningWorld, now: Date) {
  const { content, bucket } = world;
  if (!content || bucket || content.metadata.deletionTimestamp) return decide(world, now);
  return decide(changedContent(world, { metadata: { deletionTimestamp: now.toISOString() } }), now);
}

function assumeRevoked(world: ProvisioningWorld): ProvisioningWorld {
  return world.content?.metadata.deletionTimestamp ? { ...world, revoked: { result: 'revoked', found: true } } : world;
}

function assumeCall(operation: string, answer: { result: string; found?: boolean }) {
  return (step: Step<World>): Step<World> => {
    const { perform } = step;
    if (!perform) return step;
    return { ...step, perform: async (call, world) => (call.operation === operation ? answer : perform(call, world)) };
  };
}

/** Whoever holds it, it is taken for one's own. */
function leaseIgnored(decide: Decide<ProvisioningWorld>, world: ProvisioningWorld, now: Date) {
  const { worker, content } = world;
  if (!content?.status?.startedAt) return decide(world, now);
  const lease = { holder: worker, until: new Date(now.getTime() + 60_000).toISOString() };
  const decision = decide(changedContent(world, { status: { lease } }), now);
  return decision.do === 'write' && bodyOf(decision.write).includes('"lease":null') && !content.status.lease
    ? decide(world, now)
    : decision;
}

function forgetHeld(step: Step<World>): Step<World> {
  const { perform } = step;
  if (!perform) return step;
  const without = (call: Call): Call => ({ ...call, request: { ...call.request, held: {} } });
  // What the driver has made is not kept either: the key that is alive is in no Secret.
  return {
    ...step,
    perform: async (call, world) => {
      const answer = await perform(call.operation === 'GrantBucketAccess' ? without(call) : call, world);
      return call.operation === 'GrantBucketAccess' && 'credentials' in answer
        ? { ...answer, credentials: {} }
        : answer;
    },
  };
}

function takesLease(write: Write): boolean {
  return bodyOf(write).includes('"phase":"Retrying"') && bodyOf(write).includes('"lease":{');
}

function withoutPhase(write: Write): Write {
  if (write.verb !== 'patch') return write;
  const { status } = write.body as { status: { phase?: string } };
  const { phase: _, ...rest } = status;
  return { ...write, body: { status: rest } };
}

function unheld(write: Write): Write {
  if (write.verb !== 'create') return write;
  return { ...write, body: { ...write.body, metadata: { ...write.body.metadata, finalizers: [] } } };
}

function assumeHeld(world: BindingWorld): BindingWorld {
  const { bucket } = world;
  if (!bucket || bucket.metadata.deletionTimestamp) return world;
  return { ...world, bucket: { ...bucket, metadata: { ...bucket.metadata, finalizers: [finalizer] } } };
}

function assumeOwned(world: CopyingWorld): CopyingWorld {
  const { target, bucket } = world;
  if (!target || !bucket) return world;
  const annotations = { [bucketAnnotation]: bucket.metadata.uid ?? '' };
  return { ...world, target: mergePatch(target, { metadata: { annotations } }) as typeof target };
}

function assumeSecret(world: ProvisioningWorld): ProvisioningWorld {
  const { secret, content } = world;
  const isSettled = content?.status?.phase === 'Ready' || content?.status?.phase === 'Bound';
  if (secret || !content || !isSettled) return world;
  const metadata = { namespace: 'longshore-system', name: 'assumed' };
  return { ...world, secret: { apiVersion: 'v1', kind: 'Secret', metadata, data: { any: 'YW55' } } };
}

function assumeCopied(world: BindingWorld): BindingWorld {
  const { bucket } = world;
  if (!bucket || bucket.status?.phase === 'Bound') return world;
  const condition = {
    type: 'SecretReady',
    status: 'True',
    reason: 'Copied',
    message: '',
    lastTransitionTime: '',
  } as const;
  const others = (bucket.status?.conditions ?? []).filter(({ type }) => type !== 'SecretReady');
  return { ...world, bucket: { ...bucket, status: { ...bucket.status, conditions: [...others, condition] } } };
}

function changedContent(world: ProvisioningWorld, change: object): ProvisioningWorld {
  return world.content ? { ...world, content: mergePatch(world.content, change) as BucketContent } : world;
}
