import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
const namespace = `links-${randomBytes(4).toString('hex')}`;
const path = `/apis/snapshot.storage.k8s.io/v1alpha1/namespaces/${namespace}/volumesnapshotlinks`;
const source = { namespace: 'prod', name: 'foo-backup' };
let connection: Connection;

function link(name: string, spec?: object) {
  const apiVersion = 'snapshot.storage.k8s.io/v1alpha1';
  return { apiVersion, kind: 'VolumeSnapshotLink', metadata: { namespace, name }, ...(spec ? { spec } : {}) };
}

/** What the server says to a call: the object, or why it refuses it. */
async function said(method: 'POST' | 'PATCH' | 'GET', where: string, body?: object, accept?: string) {
  const contentType = method === 'PATCH' ? 'application/merge-patch+json' : 'application/json';
  const call = { method, path: where, contentType, ...(body ? { body } : {}), ...(accept ? { accept } : {}) };
  const { status, body: text } = await connection.send(call);
  return status < 300 ? JSON.parse(text) : String(JSON.parse(text).message);
}
const tryMake = (spec?: object) => said('POST', `${path}?dryRun=All`, link('tried', spec));

beforeAll(async () => {
  connection = new Connection(accessFromKubeconfig(await readFile(testKubeconfig(), 'utf8')));
  await client.createNamespace(namespace);
  for (const [name, from] of Object.entries({ foreign: source, own: { name: 'foo-backup' } })) {
    await client.create(link(name, { source: from }));
  }
});
afterAll(() => connection.close());

describe('a VolumeSnapshotLink', () => {
  test.each([
    { source },
    { source: { name: 'foo-backup' } },
    { source: { name: 'foo-backup', namespace: '' } },
    { source: { name: 'a.b-1.c', namespace: '1-a' } },
    { source: { name: 'a'.repeat(253), namespace: 'a'.repeat(63) } },
  ])('can be made: %j', async (spec) => {
    expect(await tryMake(spec)).toMatchObject({ spec });
  });

  // Of a value that a rule rejects, an older server says the type and not the value.
  const badName = /spec\.source\.name: Invalid value: ".*": name must be that of a VolumeSnapshot: small letters/;
  const badNamespace = /spec\.source\.namespace: Invalid value: ".*": namespace must be the name of one: small letters/;

  test.each<[object | undefined, string | RegExp]>([
    [undefined, 'spec: Required value'],
    [{}, 'spec.source: Required value'],
    [{ source: {} }, 'spec.source.name: Required value'],
    [{ source: { namespace: 'prod' } }, 'spec.source.name: Required value'],
    [{ source: { name: '' } }, 'spec.source.name in body should be at least 1 chars long'],
    [{ source: { name: 1 } }, 'spec.source.name in body must be of type string'],
    ...['Backup', 'a..b', '-a', 'a-', 'a.', 'a b', 'prod/a'].map((name): [object, RegExp] => [
      { source: { name } },
      badName,
    ]),
    [{ source: { name: 'a'.repeat(254) } }, 'spec.source.name: Too long'],
    ...['Prod', 'a.b', '-a', 'a-', 'a b', '*'].map((each): [object, RegExp] => [
      { source: { name: 'a', namespace: each } },
      badNamespace,
    ]),
    [{ source: { name: 'a', namespace: 'a'.repeat(64) } }, 'spec.source.namespace: Too long'],
  ])('is refused with %j', async (spec, message) => {
    expect(await tryMake(spec)).toMatch(message);
  });

  test.each<[string, object]>([
    ['foreign', { name: 'other' }],
    ['foreign', { namespace: 'other' }],
    ['foreign', { namespace: null }],
    ['own', { namespace: 'prod' }],
  ])('cannot be changed: the %s one by %j', async (name, change) => {
    const answer = await said('PATCH', `${path}/${name}?dryRun=All`, { spec: { source: change } });
    expect(answer).toContain('spec cannot be changed; delete this link and create another one');
  });

  test('can be labelled', async () => {
    const labels = { team: 'storage' };
    expect(await said('PATCH', `${path}/own?dryRun=All`, { metadata: { labels } })).toMatchObject({
      metadata: { labels },
    });
  });

  test('is shown with its snapshot', async () => {
    const { columnDefinitions, rows } = await said(
      'GET',
      path,
      undefined,
      'application/json;as=Table;v=v1;g=meta.k8s.io',
    );
    expect(columnDefinitions.map(({ name }: { name: string }) => name)).toEqual(['Name', 'Snapshot', 'From', 'Age']);
    expect(rows.map(({ cells }: { cells: string[] }) => cells.slice(0, 3))).toEqual([
      ['foreign', 'foo-backup', 'prod'],
      ['own', 'foo-backup', null],
    ]);
  });
});
