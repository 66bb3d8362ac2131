import { describe, expect, test } from '@jest/globals';
import { createRouter } from '../../../lib/capabilities/all-capabilities.ts';
import { defaultMaxFanOut, FanOut } from '../../../lib/forwarder/fan-out.ts';
import { ownerOf } from '../../../lib/forwarder/owner-namespace.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { displayName, resources } from '../../../lib/kubernetes/resources.ts';
import type { Change, Route } from '../../../lib/reconcile/routing.ts';
import { claim, grant, request } from '../../support/builders.ts';
import { claimGrant, referringClaim, storageClass, volumeSnapshot } from '../../support/builders-of-snapshots.ts';
import { bucket, bucketClass } from '../capabilities/buckets/bucket-stages.ts';

type Seen = [Resource, ClusterObject];

const seenAt = new Date(0);
const changeOf = (type: Change['type'], [resource, object]: Seen): Change => ({ type, resource, object, seenAt });

/** Whom a change leads to, where these are there already. */
function routesOf(there: readonly Seen[], type: Change['type'], changed: Seen): Route[] {
  const router = createRouter();
  for (const each of there) router.note(changeOf('listed', each));
  const change = changeOf(type, changed);
  router.note(change);
  return router.routesOf(change);
}

function requestOf(namespace: string, name: string): Seen {
  return [resources.transferRequest, request({ metadata: { namespace, name, uid: `${namespace}-${name}` } })];
}

function requestsOf(namespace: string, count: number): Seen[] {
  return Array.from({ length: count }, (_, index) => requestOf(namespace, `move-${index}`));
}

const claimAdded: Seen = [resources.claim, claim()];
const namesOf = (routes: readonly Route[]) => routes.map(({ key }) => displayName(key));
const limited = (fanOut: FanOut, routes: Route[], [resource, object]: Seen = claimAdded) =>
  fanOut.limit(changeOf('added', [resource, object]), routes, ownerOf(object));

test('a change that ten thousand and more wait for becomes ten thousand messages, and few who wait are among them', () => {
  const noisy = requestsOf('noisy', defaultMaxFanOut + 500);
  const routes = routesOf([...noisy, requestOf('quiet', 'only')], 'added', claimAdded);
  expect(routes.length).toBeGreaterThan(defaultMaxFanOut);
  const fanOut = new FanOut();
  const told = namesOf(limited(fanOut, routes));
  expect(told).toHaveLength(10_000);
  expect(told.slice(0, 2)).toContain('quiet/only');
  expect(fanOut.deferred).toBe(routes.length - 10_000);
});

test('namespaces take turns, each in the order in which it began to wait', () => {
  const there = [...requestsOf('a', 4), ...requestsOf('b', 1), ...requestsOf('c', 2)];
  const told = namesOf(limited(new FanOut(5), routesOf(there, 'added', claimAdded)));
  expect(told).toEqual(['a/move-0', 'b/move-0', 'c/move-0', 'a/move-1', 'c/move-1']);
});

test('a change that as many wait for as may is told to all of them, in the order of routing', () => {
  const routes = routesOf(requestsOf('a', 5), 'added', claimAdded);
  const fanOut = new FanOut(5);
  expect(limited(fanOut, routes)).toEqual(routes);
  expect(fanOut.deferred).toBe(0);
});

test('the object itself is told before all who wait for it', () => {
  const own: Route = { function: 'check-source', resource: resources.claim, key: { namespace: 'prod', name: 'data' } };
  const others = routesOf(requestsOf('prod', 3), 'added', claimAdded);
  expect(limited(new FanOut(1), [...others, own])).toEqual([own]);
});

test('a key that several capabilities lead to counts once for each function', () => {
  const [route] = routesOf(requestsOf('a', 1), 'added', claimAdded) as [Route];
  const other = { ...route, function: 'rebind-volume' };
  expect(limited(new FanOut(2), [route, route, other])).toEqual([route, other]);
});

describe('whoever was left out', () => {
  const routes = routesOf(requestsOf('a', 3), 'added', claimAdded);
  const [first, , last] = routes as [Route, Route, Route];

  test('is known, and nobody else is', () => {
    const fanOut = new FanOut(2);
    expect(fanOut.isLeftOut(last)).toBe(false);
    limited(fanOut, routes);
    expect([first, last].map((route) => fanOut.isLeftOut(route))).toEqual([false, true]);
  });

  test('is so for every function that has the key', () => {
    const fanOut = new FanOut(2);
    limited(fanOut, routes);
    expect(fanOut.isLeftOut({ ...last, function: 'another' } as Route)).toBe(true);
  });

  test('is not any more when fewer wait at the next change of the same', () => {
    const fanOut = new FanOut(2);
    limited(fanOut, routes);
    limited(fanOut, [first], [resources.claim, claim({ metadata: { name: 'another' } })]);
    expect(fanOut.isLeftOut(last)).toBe(true);
    limited(fanOut, [first]);
    expect(fanOut.isLeftOut(last)).toBe(false);
  });
});

describe('there is no kind whose change becomes more messages than may be:', () => {
  const many = Array.from({ length: 8 }, (_, index) => `waiting-${index}`);
  const named = (name: string) => ({ metadata: { name, uid: name } });
  const buckets: Seen[] = many.map((name) => [resources.bucket, bucket(named(name))]);
  const claims: Seen[] = many.map((name) => [resources.claim, referringClaim(named(name))]);
  const requests = requestsOf('stage', 8);
  const cases: [string, readonly Seen[], Change['type'], Seen][] = [
    ['a claim', requests, 'added', claimAdded],
    ['a claim that goes', requests, 'deleted', claimAdded],
    ['a grant of transfers', requests, 'added', [resources.referenceGrant, grant()]],
    ['a class of buckets', buckets, 'updated', [resources.bucketClass, bucketClass()]],
    ['a snapshot', claims, 'updated', [resources.snapshot, volumeSnapshot()]],
    ['a grant of snapshots', claims, 'added', [resources.referenceGrant, claimGrant()]],
    ['a storage class', claims, 'added', [resources.storageClass, storageClass()]],
  ];

  test.each(cases)('%s', (_, there, type, changed) => {
    const routes = routesOf(there, type, changed);
    expect(routes.length).toBeGreaterThanOrEqual(8);
    const fanOut = new FanOut(3);
    expect(limited(fanOut, routes, changed)).toHaveLength(3);
    expect(fanOut.deferred).toBe(routes.length - 3);
  });
});
