import { expect, test } from '@jest/globals';
import { decode } from '../../../lib/capabilities/buckets/secrets.ts';
import type { ProvisioningWorld } from '../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import type { Secret } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Step, World } from '../../../lib/reconcile/step.ts';
import { type Capability, type Mutant, Violation } from '../capability.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { mergePatch } from '../merge-patch.ts';
import { deciding } from '../mutating.ts';
import { everything } from '../plan.ts';
import { simulate } from '../simulation.ts';
import { buckets } from './capability.ts';

const runs = 300;

/** The same capability, at the end of each run of which one looks where its credentials have got to. */
const watched: Capability = {
  ...buckets,
  begin: (cluster, random) => {
    const run = buckets.begin(cluster, random);
    const checkEnd = () => {
      run.checkEnd();
      checkSecrecy(cluster);
    };
    return { ...run, checkEnd };
  },
};

let credentialsSeen = 0;

/** In all that there ever was in the cluster: Events and conditions as well as what was thought to hold no secret. */
function checkSecrecy({ changes }: FakeCluster): void {
  const isSecret = ({ resource }: (typeof changes)[number]) => resource === resources.secret;
  const credentials = new Set(changes.filter(isSecret).flatMap(({ object }) => credentialsIn(object as Secret)));
  credentialsSeen += credentials.size;
  for (const { resource, object } of changes.filter((change) => !isSecret(change))) {
    const text = JSON.stringify(object);
    const told = [...credentials].find((each) => text.includes(each) || text.includes(btoa(each)));
    if (told) throw new Violation(`${resource.kind} ${object.metadata.name} has ${told} in it`);
  }
}

function credentialsIn(secret: Secret): string[] {
  const { AWS_SECRET_ACCESS_KEY, CONSUMER_SECRET_ACCESS_KEY } = decode(secret);
  return [AWS_SECRET_ACCESS_KEY, CONSUMER_SECRET_ACCESS_KEY].filter(
    (each) => each !== undefined && each !== '',
  ) as string[];
}

test('no credential of a Bucket gets anywhere but into Secrets, whatever fails and whoever interferes', async () => {
  for (let seed = 1; seed <= runs; seed += 1) {
    const found = await simulate({ seed, ...everything(watched) });
    if (found) throw new Error(`seed ${seed}: ${found.violation}\n${found.trace.join('\n')}`);
  }
  expect(credentialsSeen).toBeGreaterThan(runs / 3);
});

test('a status that tells of one is noticed', async () => {
  const mutant: Mutant = { name: 'credentials-told', step: tellingCredentials };
  for (let seed = 1; seed <= runs; seed += 1) {
    const found = await simulate({ seed, ...everything(watched), mutant });
    if (found?.violation.includes('in it')) return;
  }
  throw new Error('nobody has noticed');
});

function tellingCredentials(step: Step<World>): Step<World> {
  if (step.name !== 'provision-bucket') return step;
  return deciding<World>((decide, world, now) => {
    const decision = decide(world, now);
    const { secret } = world as ProvisioningWorld;
    if (decision.do !== 'write' || decision.write.verb !== 'patch' || !decision.write.subresource || !secret)
      return decision;
    const body = mergePatch(decision.write.body, { status: { message: JSON.stringify(decode(secret)) } }) as object;
    return { do: 'write', write: { ...decision.write, body } };
  })(step);
}
