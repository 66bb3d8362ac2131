import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import type { Registration } from '../../lib/capabilities/buckets/objects.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { testClient } from './administrator.ts';
import { contentOf, giveBucketUp, untilBucketBound } from './case-bucket-waits.ts';
import { makeBucket, makeSharedKeys, planBucket, runBuckets } from './case-buckets.ts';
import { untilEvents } from './case-waits.ts';

const client = testClient();
// Three attempts are as good as all of them, and take less time.
const longshore = runBuckets({ givesUpAfter: 3 });
const { store, driver, sharedKeysDriver } = longshore;

function registrationOf(name: string, identity: string): Registration {
  const { apiVersion, kind } = resources.registration;
  return { apiVersion, kind, metadata: { name }, spec: { identity } };
}

describe('the name of a driver', () => {
  test('is registered for its deployment, which knows it again after a restart', async () => {
    const plan = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
    const bucket = await untilBucketBound(client, await makeBucket(client, plan));
    const before = await client.until<Registration>(registrationOf(driver, ''));
    expect(before.metadata.labels).toEqual({ 'cosi.io/provisioner': driver });
    expect(before.spec.supportedProtocols).toEqual(['s3']);
    await longshore.resync();
    const next = planBucket({ provisioner: driver, releasePolicy: 'Delete' });
    await giveBucketUp(client, await untilBucketBound(client, await makeBucket(client, next)));
    const after = await client.until<Registration>(before);
    expect([after.metadata.uid, after.spec]).toEqual([before.metadata.uid, before.spec]);
    // A registration that somebody deletes is made again.
    await client.delete(before);
    const isNew = ({ metadata }: Registration) => metadata.uid !== before.metadata.uid;
    expect((await client.until<Registration>(before, isNew)).spec).toEqual(before.spec);
    await giveBucketUp(client, bucket);
  });

  test('that another deployment has is left to it, with its contents, until its registration is deleted', async () => {
    const identity = `stranger-${randomBytes(4).toString('hex')}`;
    const theirs = await client.create(registrationOf(sharedKeysDriver, identity));
    const commands = store.commands.length;
    const parameters = await makeSharedKeys(client);
    const plan = planBucket({ provisioner: sharedKeysDriver, parameters });
    const bucket = await makeBucket(client, plan);
    const refused = 'longshore.dev/refused';
    const found = await client.until<Registration>(
      theirs,
      ({ metadata: { annotations } }) => refused in (annotations ?? {}),
    );
    expect(found.metadata.annotations?.[refused]).toMatch(/^test-/);
    expect(found.spec).toEqual({ identity });
    await untilEvents(client, found, 'DriverNameTaken');
    const [event] = await client.eventsAbout(found);
    expect(event?.note).toContain(`stops trying to register driver ${sharedKeysDriver}, which belongs to ${identity}`);
    await longshore.resync();
    expect((await contentOf(client, bucket)).status?.conditions?.map(({ reason }) => reason)).toEqual(['Pending']);
    expect(store.commands).toHaveLength(commands);
    await client.delete(theirs);
    await untilBucketBound(client, bucket);
    expect((await client.until<Registration>(theirs)).spec.identity).toMatch(/^test-/);
    // Before that a store that knows of no access is not believed.
    longshore.passTime(3 * 60_000);
    await giveBucketUp(client, bucket);
  });
});
