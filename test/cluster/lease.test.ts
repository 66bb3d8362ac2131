import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Lease, LeaseLost } from '../../lib/forwarder/lease.ts';
import type { LeaseRecord } from '../../lib/forwarder/lease-record.ts';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { realClock } from '../../lib/runtime/clock.ts';
import { functionKubeconfig } from '../../tools/control-plane/manifests.ts';
import { testClient, testKubeconfig } from './administrator.ts';

const client = testClient();
const connections: Connection[] = [];
const never = new AbortController().signal;
const checkpoint = { claims: '7' };
const silentLog = { info: () => {}, error: () => {}, measure: () => {} };
/** Short, for those who wait until it is over. */
const shortSeconds = 5;

let connection: Connection;
let object: LeaseRecord;
let one: Lease;
let other: Lease;

beforeAll(async () => {
  connection = await connect('forward');
});
afterAll(() => {
  for (const each of connections) each.close();
});
beforeEach(() => {
  const name = `forward.test-${randomBytes(4).toString('hex')}`;
  object = { apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { namespace: 'longshore-system', name } };
  one = leaseOf('one');
  other = leaseOf('other');
});

async function connect(account: string): Promise<Connection> {
  const made = new Connection(accessFromKubeconfig(await functionKubeconfig(testKubeconfig(), account)));
  connections.push(made);
  return made;
}

function leaseOf(holder: string, durationSeconds = shortSeconds, by = connection): Lease {
  const { name } = object.metadata;
  return new Lease({
    connection: by,
    name,
    holder,
    clock: realClock,
    log: silentLog,
    cluster: 'test',
    durationSeconds,
  });
}

/** A holder that renews until it is stopped, which gives nothing away. */
function keep(lease: Lease) {
  const end = new AbortController();
  return { kept: lease.keep(end.signal, () => checkpoint), end: () => end.abort() };
}

const untilRenewed = () =>
  client.until<LeaseRecord>(object, ({ metadata }) => Number(metadata.annotations?.['longshore.dev/renewal']) > 1);

test('what is given away another one has at once, with the checkpoint and without waiting for the duration', async () => {
  one = leaseOf('one', 600);
  other = leaseOf('other', 600);
  expect(await one.acquire({ signal: never })).toEqual({ outcome: 'held', checkpoint: undefined });
  const waiting = other.acquire({ signal: never });
  const { kept, end } = keep(one);
  await untilRenewed();
  end();
  await kept;
  const last = { claims: '8' };
  await one.release(last);
  expect(await waiting).toEqual({ outcome: 'held', checkpoint: last });
  expect([one.isHeldFor(0), other.isHeldFor(0)]).toEqual([false, true]);
  const { spec } = await client.until<LeaseRecord>(object);
  expect(spec).toMatchObject({ holderIdentity: 'other', leaseTransitions: 1, leaseDurationSeconds: 600 });
});

test('who stops renewing loses it to the one who waits, but not before it knows that itself', async () => {
  await one.acquire({ signal: never });
  const { kept, end } = keep(one);
  const waiting = other.acquire({ signal: never }).then((acquired) => ({ acquired, isHeldByOne: one.isHeldFor(0) }));
  await untilRenewed();
  end();
  await kept;
  expect(await waiting).toEqual({ acquired: { outcome: 'held', checkpoint }, isHeldByOne: false });
  // What the first one comes back with changes nothing any more.
  await one.release({ claims: '1' });
  const { spec, metadata } = await client.until<LeaseRecord>(object);
  expect(spec?.holderIdentity).toBe('other');
  expect(metadata.annotations?.['longshore.dev/checkpoint']).toBe('{"claims":"7"}');
});

test('of those who want it at the same moment one has it', async () => {
  const stop = new AbortController();
  const contenders = ['one', 'two', 'three', 'four'].map((holder) => leaseOf(holder));
  const waiting = contenders.map(async (lease) => {
    const acquired = await lease.acquire({ signal: stop.signal });
    stop.abort();
    return acquired.outcome;
  });
  expect((await Promise.all(waiting)).filter((outcome) => outcome === 'held')).toHaveLength(1);
  expect(contenders.filter((lease) => lease.isHeldFor(0))).toHaveLength(1);
});

test('who finds another holder in it has lost it, and leaves it to them', async () => {
  await one.acquire({ signal: never });
  await client.change(object, { spec: { holderIdentity: 'somebody' } });
  const lost = await keep(one).kept.catch((error) => error);
  expect(lost).toBeInstanceOf(LeaseLost);
  expect(lost.message).toContain('it is held by somebody now');
  expect(one.isHeldFor(0)).toBe(false);
});

test('what was only added to it by hand stays, and so does the holder', async () => {
  await one.acquire({ signal: never });
  await client.change(object, { metadata: { labels: { team: 'storage' } } });
  const { kept, end } = keep(one);
  const { metadata } = await untilRenewed();
  end();
  await kept;
  expect(metadata.labels).toEqual({ team: 'storage' });
});

test('a deleted one is lost, and its holder does not make it anew', async () => {
  await one.acquire({ signal: never });
  await client.delete(object);
  await expect(keep(one).kept).rejects.toThrow('it has been deleted');
  expect(await client.get(object)).toBeUndefined();
});

test('who may not have it is told which manifest to apply', async () => {
  const lease = leaseOf('stranger', shortSeconds, await connect('match-transfer'));
  await expect(lease.acquire({ signal: never })).rejects.toThrow('apply manifests/rbac/forward.yaml to this cluster');
});
