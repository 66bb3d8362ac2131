import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { Snapshot } from '../../tools/csi-stand-in/kinds.ts';
import { provisionedClass, snapshotClass } from '../../tools/csi-stand-in/objects.ts';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { needs } from './case-needs.ts';
import { untilSaid } from './case-snapshot-waits.ts';
import { untilReady, volumeOf } from './case-snapshots.ts';
import { applying, createdIn, objectsIn, shownIn } from './case-walkthroughs.ts';

const driver = 'csi.example.com';
const className = 'standard';

let standIn: CsiStandIn | undefined;
let longshore: InProcess | undefined;
afterAll(async () => {
  await longshore?.stop();
  await standIn?.stop();
});
const own = ownControlPlane();
const { apply } = applying(own.client);
beforeAll(async () => {
  standIn = await startCsiStandIn(own.kubeconfig(), { drivers: [{ name: driver }], retryMs: 100 });
  await serveGrants(own.client(), 'v1beta1');
  await own.client().create(provisionedClass({ name: className, driver }));
  await own.client().create(snapshotClass({ name: className, driver, isDefault: true }));
  longshore = await runInProcess(own.kubeconfig());
});

/** The file that a pod would find in the volume of a claim. */
async function fileOn(claim: Claim): Promise<string> {
  return join(standIn?.directoryOf(await volumeOf(own.client(), claim)) ?? '', 'data');
}

async function write(claim: Claim, text: string): Promise<void> {
  writeFileSync(await fileOn(claim), text);
}

/** What is in the volume of a claim, once the claim says that its data is there, in the words that are shown. */
async function readPopulated(story: string, claim: Claim): Promise<string> {
  const { status, message } = await untilSaid(own.client(), claim, 'Populated');
  expect(status).toBe('True');
  expect(shownIn(story)).toContain(message);
  return readFileSync(await fileOn(claim), 'utf8');
}

function withoutIdentity(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\dT[\d:]+Z/g, '<time>')
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, '<uid>');
}

/** A claim that may not have what it asks for has no volume, and says why in the words that are shown. */
async function expectNotGranted(story: string, claim: Claim): Promise<void> {
  const { message } = await untilSaid(own.client(), claim, 'NotGranted');
  // When the namespace was made, and its uid, are others each time.
  expect(withoutIdentity(shownIn(story))).toContain(withoutIdentity(message));
  expect((await own.client().until<Claim>(claim)).spec.volumeName).toBeUndefined();
}

async function takeSnapshot(file: string): Promise<Snapshot> {
  return untilReady(own.client(), await apply<Snapshot>(file));
}

async function remove(object: ClusterObject): Promise<void> {
  await own.client().delete(object);
  await own.client().untilGone(object);
}

describe('snapshots for testing', () => {
  const story = 'snapshots-for-testing';
  let orders: Claim;
  beforeAll(async () => {
    orders = await apply<Claim>(`${story}/before.yaml`);
    await write(orders, 'monday');
    await takeSnapshot(`${story}/snapshot.yaml`);
    for (const file of ['grant', 'link']) await apply(`${story}/${file}.yaml`);
  });

  test('the tests have the data of the night before, and change nothing in production', async () => {
    const claim = await apply<Claim>(`${story}/claim.yaml`);
    expect(await readPopulated(story, claim)).toBe('monday');
    await write(claim, 'broken by a test');
    expect(readFileSync(await fileOn(orders), 'utf8')).toBe('monday');
  });

  test('the next night has the same grant, the same link and the same files', async () => {
    await write(orders, 'tuesday');
    const [snapshot] = objectsIn(`${story}/snapshot.yaml`) as [Snapshot];
    await remove(snapshot);
    await takeSnapshot(`${story}/snapshot.yaml`);
    const [claim] = objectsIn(`${story}/claim.yaml`) as [Claim];
    await remove(claim);
    expect(await readPopulated(story, await apply<Claim>(`${story}/claim.yaml`))).toBe('tuesday');
  });

  test('no other snapshot of production can be had, and whether there is one is not told', async () => {
    await expectNotGranted(story, await apply<Claim>(`${story}/salaries.yaml`));
  });
});

needs('mutating admission').describe('golden snapshots', () => {
  const story = 'golden-snapshots';
  let image: Claim;
  beforeAll(async () => {
    image = await apply<Claim>(`${story}/before.yaml`);
    await write(image, 'fedora');
    await takeSnapshot(`${story}/snapshot.yaml`);
    await apply(`${story}/grant.yaml`);
  });

  test.each(['team-a', 'team-b'])('a machine of %s has a disk of its own with the image', async (team) => {
    const disk = await apply<Claim>(`${story}/${team}.yaml`);
    expect(await readPopulated(story, disk)).toBe('fedora');
    await write(disk, `of ${team}`);
    expect(readFileSync(await fileOn(image), 'utf8')).toBe('fedora');
  });

  test('a disk may be larger than the image', async () => {
    const [disk] = objectsIn(`${story}/team-a.yaml`) as [Claim];
    expect((await volumeOf(own.client(), disk)).spec.capacity).toEqual({ storage: '40Gi' });
  });

  test('the reference is written by hand where no policy does it', async () => {
    const byHand = await apply<Claim>(`${story}/by-hand.yaml`);
    expect(await readPopulated(story, byHand)).toBe('fedora');
    const [written] = objectsIn(`${story}/by-hand.yaml`) as [Claim];
    const kept = await own.client().until<Claim>({ ...written, metadata: { namespace: 'team-b', name: 'vm-1-disk' } });
    expect(kept.spec.dataSourceRef).toEqual({ ...written.spec.dataSourceRef });
    expect(kept.spec).toMatchObject({ selector: { matchLabels: { 'longshore.dev/volume': 'populated' } } });
  });

  test('a team that is not in the grant waits until it is in one', async () => {
    const disk = await apply<Claim>(`${story}/team-c.yaml`);
    await expectNotGranted(story, disk);
    await apply(`${story}/grant-for-team-c.yaml`);
    expect(await readPopulated(story, disk)).toBe('fedora');
  });

  test('the disks stay when grants and snapshot are gone', async () => {
    for (const file of ['grant', 'grant-for-team-c', 'snapshot']) {
      for (const object of objectsIn(`${story}/${file}.yaml`)) await remove(object);
    }
    for (const file of ['team-b', 'team-c']) {
      const [disk] = objectsIn(`${story}/${file}.yaml`) as [Claim];
      const { status } = await own.client().until<Claim>(disk);
      expect(status).toMatchObject({ phase: 'Bound', conditions: [{ type: 'DataPopulated', status: 'True' }] });
    }
  });
});

test.each(['snapshots-for-testing', 'golden-snapshots'])('everything in the files of %s is shown', (story) => {
  const shown = shownIn(story);
  expect(createdIn(story).filter((line) => !shown.includes(line))).toEqual([]);
});
