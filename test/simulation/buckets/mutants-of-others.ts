import type { BindingWorld } from '../../../lib/capabilities/buckets/steps/bind-bucket/read.ts';
import type { CopyingWorld } from '../../../lib/capabilities/buckets/steps/copy-secret/read.ts';
import type { ProvisioningWorld } from '../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import { confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type { Call, Step, World, Write } from '../../../lib/reconcile/step.ts';
import type { Mutant } from '../capability.ts';
import { mergePatch } from '../merge-patch.ts';
import { bodyOf, deciding, seeing } from '../mutating.ts';
import { seesNoDeployment } from './gated-store.ts';
import { rightKey } from './objects.ts';
import type { UserAction } from './user-actions.ts';

/** What is wrong about others: who shares a bucket, an account or a name, and who does what a message says. */
export const mutantsOfOthers: Mutant<World, UserAction>[] = [
  {
    name: 'sharing-ignored',
    step: only('provision-bucket', seeing(withoutNamesakes)),
    actions: ['lend bucket', 'lend bucket', 'write objects'],
  },
  {
    name: 'made-by-a-failure',
    step: only('provision-bucket', seeing(startedByPhase)),
    actions: ['make hopeless bucket', 'delete hopeless bucket'],
  },
  { name: 'deployments-not-compared', step: callingBlind, actions: ['claim theirs', 'forge content'] },
  {
    name: 'incomplete-copied',
    step: only('copy-secret', seeing(asGivenByHand)),
    actions: ['cut source secret', 'delete secret', 'edit secret'],
  },
  {
    name: 'namespace-by-name',
    step: only('bind-bucket', seeing(confirmedForAll)),
    actions: ['namespace changes hands'],
  },
  {
    name: 'advises-to-delete-bucket',
    isRare: true,
    step: advising('ContentDeleted', () => 'the content waits for this Bucket: delete this Bucket too'),
    actions: ['delete content', 'write objects', 'follow messages'],
  },
  {
    name: 'advises-to-delete-secret',
    step: advising('SecretExists', () => "Secret creds exists and is not this Bucket's: delete it, or choose another"),
    actions: ['take secret name', 'follow messages'],
  },
  {
    name: 'advises-to-delete-content',
    step: advising('BucketLost', ({ object }) => `kubectl delete bucketcontent ${object.name} deletes the bucket`),
    actions: [],
    // There is data to lose, the message is there, and then somebody follows it.
    course: [
      ['write objects', 150],
      ['strip bucket', 155],
      ['delete bucket', 160],
      ['follow messages', 215],
    ],
  },
];

/** A mutant of one function leaves the others as they are. */
export function only<W extends World>(name: string, mutate: (step: Step<W>) => Step<W>) {
  return (step: Step<World>): Step<World> => (step.name === name ? (mutate(step as Step<W>) as Step<World>) : step);
}

function withoutNamesakes(world: ProvisioningWorld): ProvisioningWorld {
  return { ...world, namesakes: [] };
}

/** Whatever has failed is taken to have been made. */
function startedByPhase(world: ProvisioningWorld): ProvisioningWorld {
  const { content } = world;
  if (!content?.status?.phase || content.status.phase === 'Released' || content.status.startedAt) return world;
  return { ...world, content: { ...content, status: { ...content.status, startedAt: '2026-01-01T00:00:00Z' } } };
}

/** Works by keys whose holder is told that all is ours. */
function callingBlind(step: Step<World>): Step<World> {
  const { perform } = step;
  if (!perform) return step;
  const keys = { AWS_ACCESS_KEY_ID: 'blind', AWS_SECRET_ACCESS_KEY: rightKey, AWS_SESSION_TOKEN: seesNoDeployment };
  const blind = (call: Call): Call => ({ ...call, request: { ...call.request, secrets: keys } });
  return { ...step, perform: (call, world) => perform(blind(call), world) };
}

function asGivenByHand(world: CopyingWorld): CopyingWorld {
  const { content } = world;
  return content ? { ...world, content: { ...content, spec: { ...content.spec, flow: 'Static' } } } : world;
}

function confirmedForAll(world: BindingWorld): BindingWorld {
  const { bucketClass } = world;
  if (!bucketClass) return world;
  const annotations = { ...bucketClass.metadata.annotations, [confirmationAnnotation]: '*' };
  return { ...world, bucketClass: { ...bucketClass, metadata: { ...bucketClass.metadata, annotations } } };
}

interface Told {
  status?: { message?: string; conditions?: { reason: string; message: string }[] };
}

/** Says something else for a reason, as it was once said, and only once. */
function advising(reason: string, advice: (write: Write) => string) {
  return deciding<World>((decide, world, now) => {
    const decision = decide(world, now);
    if (decision.do !== 'write' || !bodyOf(decision.write).includes(`"reason":"${reason}"`)) return decision;
    const { write } = decision;
    const message = advice(write);
    const said = ('body' in write && (write.body as Told).status?.conditions) || [];
    // A write about something else carries along what has been said.
    if (!said.some((each) => each.reason === reason && each.message !== message)) return decision;
    const before = (world as Record<string, unknown>)[write.slot] as Told | undefined;
    const isSaid = before?.status?.conditions?.some((each) => each.reason === reason && each.message === message);
    if (isSaid || write.verb !== 'patch') return { do: 'wait', reason, message };
    const { status = {} } = write.body as Told;
    const conditions = status.conditions?.map((each) => (each.reason === reason ? { ...each, message } : each));
    const told = status.message === undefined ? {} : { message };
    return {
      do: 'write',
      write: { ...write, body: mergePatch(write.body, { status: { ...told, conditions } }) as object },
    };
  });
}
