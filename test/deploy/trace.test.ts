import { randomBytes } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { Bucket } from '../../lib/capabilities/buckets/objects.ts';
import type { Secret } from '../../lib/kubernetes/objects.ts';
import { bucket, bucketClass, isBound, secretOf } from '../../tools/local/bucket-objects.ts';
import { ClusterClient, consent, makeTransfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';
import { longshore } from './case-command.ts';
import { sentSince } from './case-forward-archive.ts';
import { expectInOrder, type Line, linesIn, placeOf } from './case-trace.ts';

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);
const { endpoint, region } = deployed.settings;

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

/** The archive has a message some seconds after its queue. */
async function untilArchived(since: Date, name: string): Promise<void> {
  await until(`${name} is in the archive`, async () =>
    (await sentSince(deployed, since)).some(({ body }) => body.includes(`"${name}"`)),
  );
}

test('a transfer is told from its request to its end, with what belongs to it', async () => {
  const since = new Date();
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  await untilComplete(client, transfer);
  await client.untilGone(transfer.source);
  const { namespace = '', name } = transfer.request.metadata;
  await untilArchived(since, transfer.volume.metadata.name);
  const ended = await longshore(deployed, [
    'trace',
    'storagetransferrequest',
    `${namespace}/${name}`,
    '--json',
    '--logs',
  ]);
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  const lines = linesIn(ended);
  expectInOrder(lines);
  const isOwn = ({ kind }: Line) => kind === 'StorageTransferRequest';
  const beginning = [
    placeOf(lines, (line) => isOwn(line) && line.what === 'created'),
    placeOf(lines, (line) => isOwn(line) && line.source === 'message' && line.what.includes('to match-transfer')),
    placeOf(lines, (line) => line.source === 'log' && line.what.startsWith('match-transfer: patch')),
  ];
  // An Event comes after its condition, of which whole seconds are kept: so either may stand first.
  const ends = [
    placeOf(lines, (line) => isOwn(line) && line.source === 'event' && line.what.startsWith('Normal Complete')),
    placeOf(lines, (line) => isOwn(line) && line.source === 'condition' && line.what.startsWith('Complete True')),
  ];
  for (const end of ends) {
    const places = [...beginning, end];
    expect(places).toEqual([...places].sort((one, other) => one - other));
  }
  expect(new Set(lines.map(({ kind, namespace: at, name: of }) => `${kind} ${at ?? ''}/${of}`))).toEqual(
    new Set([
      `StorageTransferRequest ${namespace}/${name}`,
      `StorageTransferApproval ${transfer.approval.metadata.namespace}/${name}`,
      `PersistentVolumeClaim ${transfer.source.metadata.namespace}/data`,
      `PersistentVolumeClaim ${namespace}/data`,
      `PersistentVolume /${transfer.volume.metadata.name}`,
    ]),
  );
});

test('what has been deleted is still told of, by its messages and events', async () => {
  const since = new Date();
  const transfer = await makeTransfer(client);
  await client.create(transfer.request);
  await client.until(transfer.request, ({ status }) => status?.conditions !== undefined);
  const { namespace = '', name } = transfer.request.metadata;
  await untilArchived(since, name);
  await client.delete(transfer.request);
  await client.untilGone(transfer.request);
  const { status, stdout, stderr } = await longshore(deployed, ['trace', 'STREQ', `${namespace}/${name}`]);
  expect([status, stderr]).toEqual([0, `StorageTransferRequest ${namespace}/${name} is not in the cluster now\n`]);
  expect(stdout).toMatch(
    /^\S+\.\d{3}Z {2}message {2}StorageTransferRequest \S+ {2}add, to match-transfer, trace [0-9a-f]{32}$/m,
  );
});

test('a Bucket is told with its content and its Secret, of which nothing is shown', async () => {
  const since = new Date();
  const suffix = randomBytes(4).toString('hex');
  const parameters = { endpoint, region };
  const made = await client.create(bucketClass(`class-${suffix}`, { releasePolicy: 'Delete', parameters }));
  await client.createNamespace(`team-${suffix}`);
  const asked = await client.create(bucket(`team-${suffix}`, 'photos', made.metadata.name));
  const bound = await client.until<Bucket>(asked, isBound);
  const { data = {} } = await client.until<Secret>(secretOf(asked));
  await untilArchived(since, bound.status?.bucketContentName ?? '');
  const ended = await longshore(deployed, ['trace', 'bkt', `team-${suffix}/photos`, '--json', '--logs']);
  expect([ended.status, ended.stderr]).toEqual([0, '']);
  const lines = linesIn(ended);
  expectInOrder(lines);
  const kinds = new Set(lines.map(({ kind }) => kind));
  expect([...kinds].sort()).toEqual(['Bucket', 'BucketClass', 'BucketContent', 'Secret']);
  expect(placeOf(lines, ({ source, kind }) => source === 'message' && kind === 'Bucket')).toBeLessThan(
    placeOf(
      lines,
      ({ source, kind, what }) => source === 'condition' && kind === 'Bucket' && what.startsWith('Bound True'),
    ),
  );
  // The bucket's name is no secret, and stands in events.
  for (const key of ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'BucketInfo']) {
    const { [key]: value = '' } = data;
    expect(value).not.toBe('');
    expect(ended.stdout).not.toContain(value);
    expect(ended.stdout).not.toContain(Buffer.from(value, 'base64').toString());
  }
});

test('a kind that nobody knows is answered by those that there are', async () => {
  const { status, stderr } = await longshore(deployed, ['trace', 'storagetransferrequst', 'a/b']);
  expect(status).toBe(2);
  expect(stderr).toContain(
    'unknown kind "storagetransferrequst" (Did you mean StorageTransferRequest?); known kinds: PersistentVolumeClaim,',
  );
});

test('of a name that nobody knows it says so', async () => {
  const { status, stdout, stderr } = await longshore(deployed, ['trace', 'bucket', 'nowhere/nothing', '--logs']);
  expect([status, stdout]).toEqual([1, '']);
  expect(stderr).toContain('nothing is known about Bucket nowhere/nothing: check kind, namespace and name');
});
