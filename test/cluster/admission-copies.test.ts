import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { applySnapshotDefinitions } from '../../tools/csi-stand-in/definitions.ts';
import { ClusterClient } from '../support/cluster-client.ts';
import { testClient, testKubeconfig } from './administrator.ts';
import { refusalOf } from './case-refusal.ts';
import { snapshotGroup } from './case-snapshot-claims.ts';

const client = testClient();
const apiVersion = `${snapshotGroup}/v1`;
const mark = 'longshore.dev/populates';
const words = /^this content is Longshore's copy of .* leave spec.deletionPolicy at Retain/;

type Policy = 'Delete' | 'Retain';

const made: ReturnType<typeof content>[] = [];

beforeAll(() => applySnapshotDefinitions(testKubeconfig()));
afterAll(() => Promise.all(made.map((each) => client.delete(each))));

/** It has not the name of a copy, or else a Longshore of other tests would take it away. Nobody acts on it. */
function content(deletionPolicy: Policy, annotations?: Record<string, string>) {
  const name = `kept-${randomBytes(8).toString('hex')}`;
  return {
    ...{ apiVersion, kind: 'VolumeSnapshotContent', metadata: { name, ...(annotations ? { annotations } : {}) } },
    spec: {
      deletionPolicy,
      driver: 'disk.example.com',
      source: { snapshotHandle: 'handle-1' },
      volumeSnapshotRef: { apiVersion, kind: 'VolumeSnapshot', namespace: 'longshore-system', name },
    },
  };
}
const copy = (policy: Policy) => content(policy, { [mark]: 'test/copy/uid-claim' });
const policyOf = async (made: ReturnType<typeof content>) => (await client.get(made))?.spec.deletionPolicy;
async function create(object: ReturnType<typeof content>) {
  const created = await client.create(object);
  made.push(created);
  return created;
}
const withPolicy = (deletionPolicy: Policy) => ({ spec: { deletionPolicy } });

describe('a content that is a copy', () => {
  test('is refused with the policy Delete, and taken with Retain', async () => {
    expect(await refusalOf(client.create(copy('Delete')))).toMatch(words);
    const kept = await create(copy('Retain'));
    expect(await policyOf(kept)).toBe('Retain');
  });

  test('keeps Retain, and can be changed otherwise', async () => {
    const kept = await create(copy('Retain'));
    expect(await refusalOf(client.change(kept, withPolicy('Delete')))).toMatch(words);
    await client.annotate(kept, { 'example.com/note': 'x' });
    expect(await policyOf(kept)).toBe('Retain');
  });

  test('cannot be made another one in the same moment', async () => {
    const kept = await create(copy('Retain'));
    const change = { metadata: { annotations: { [mark]: null } }, ...withPolicy('Delete') };
    expect(await refusalOf(client.change(kept, change))).toMatch(words);
    expect((await client.get(kept))?.metadata.annotations).toHaveProperty([mark]);
  });

  test('cannot cease to be one', async () => {
    const kept = await create(copy('Retain'));
    expect(await refusalOf(client.annotate(kept, { [mark]: null }))).toMatch(/keep its annotation/);
  });

  test('cannot become one with the policy Delete', async () => {
    const other = await create(content('Delete'));
    expect(await refusalOf(client.annotate(other, { [mark]: 'test/copy/uid-claim' }))).toMatch(words);
  });
});

test.each<[Policy, Policy]>([
  ['Retain', 'Delete'],
  ['Delete', 'Retain'],
])('any other content with the policy %s can be changed to %s', async (before, after) => {
  for (const annotations of [undefined, { 'example.com/note': 'x' }]) {
    const other = await create(content(before, annotations));
    await client.change(other, withPolicy(after));
    expect(await policyOf(other)).toBe(after);
  }
});

test("Longshore's own function makes its copies and takes them away", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'longshore-copies-'));
  try {
    const path = join(folder, 'kubeconfig');
    await writeFile(path, await functionKubeconfig(testKubeconfig(), 'populate-claim'), { mode: 0o600 });
    const own = new ClusterClient(path);
    const kept = await own.create(copy('Retain'));
    expect(await refusalOf(own.create(copy('Delete')))).toMatch(words);
    await own.delete(kept);
    await client.untilGone(kept);
  } finally {
    await rm(folder, { recursive: true });
  }
});
