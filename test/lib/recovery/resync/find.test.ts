import { expect, test } from '@jest/globals';
import { createRouter, type Routing, watchedResources } from '../../../../lib/capabilities/all-capabilities.ts';
import type { Resource } from '../../../../lib/kubernetes/resource.ts';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import type { Router } from '../../../../lib/reconcile/routing.ts';
import { findUnfinished } from '../../../../lib/recovery/resync/find.ts';
import { MemoryPool } from '../../../../lib/runtime/memory/pool.ts';
import { approval, claim, request, volume } from '../../../support/builders.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';
import { named, type Page, type Script, ScriptedApi } from '../../forwarder/scripted-api.ts';

const denied = 'persistentvolumes is forbidden: User "operator" cannot list resource "persistentvolumes"';

function find(pages: Partial<Script>, routing: Routing, signal = new AbortController().signal, memory?: MemoryPool) {
  const skipped: string[] = [];
  const api = new ScriptedApi({
    current: () => ({ version: '1' }),
    watch: () => ({ events: [], end: 'closed' }),
    page: () => ({ version: '1' }),
    ...pages,
  });
  const onSkipped = ({ object }: { object: { metadata: { name: string } } }) => skipped.push(object.metadata.name);
  const found = findUnfinished({ api, routing, clock: hurriedClock, signal, onSkipped, memory });
  return { found, api, skipped };
}

/** Everything concerns the function of its kind, if the condition holds when all is noted. */
function routingOf(kinds: Resource[], isConcerned: (noted: string[], name: string) => boolean = () => true): Routing {
  const router = (): Router => {
    const noted: string[] = [];
    return {
      note: ({ object }) => void noted.push(object.metadata.name),
      routesOf: ({ resource, object: { metadata } }) =>
        isConcerned(noted, metadata.name)
          ? [{ function: 'match-claim', resource, key: { namespace: 'prod', name: metadata.name } }]
          : [],
    };
  };
  return { resources: kinds, createRouter: router };
}

const pagesOf = (byPlural: Record<string, Page[]>) => ({
  page: (plural: string, asked: number) => byPlural[plural]?.[asked] ?? ({ version: '1' } as const),
});

test('of a cluster the unfinished transfer is found, and the finished one is not', async () => {
  const done = { complete: true, conditions: [] };
  const finished = request({ metadata: { name: 'finished', uid: 'uid-finished' }, status: done });
  const pages = pagesOf({
    persistentvolumes: [{ version: '1', objects: [volume()] }],
    persistentvolumeclaims: [{ version: '1', objects: [claim()] }],
    storagetransferrequests: [{ version: '1', objects: [request(), finished] }],
    storagetransferapprovals: [{ version: '1', objects: [approval({ status: done })] }],
  });
  const served = () => ['storagetransferrequests', 'storagetransferapprovals'];
  const { things, objects } = await find({ ...pages, served }, { resources: watchedResources, createRouter }).found;
  expect(things.map(({ object }) => object.name)).toEqual(['move']);
  expect(things[0]).toMatchObject({
    cause: { uid: 'uid-request', type: 'update' },
    routes: [{ function: 'match-transfer', key: { namespace: 'stage', name: 'move' } }],
  });
  expect(objects).toBe(5);
});

test('whom an object concerns is asked when all kinds and pages have been noted', async () => {
  const pages = pagesOf({
    persistentvolumes: [
      { version: '1', objects: [named('a', '1')], next: 'more' },
      { version: '1', objects: [named('b', '1')] },
    ],
    persistentvolumeclaims: [{ version: '1', objects: [named('c', '1')] }],
  });
  // By the time at which it is listed it seems to concern somebody, and at the end only without c.
  const routing = routingOf([resources.volume, resources.claim], (noted, name) => name !== 'a' || !noted.includes('c'));
  const { things } = await find(pages, routing).found;
  expect(things.map(({ object }) => object.name)).toEqual(['b', 'c']);
});

test('kinds that the cluster lacks or does not show are left out, and said', async () => {
  const pages = {
    page: (plural: string): Page =>
      plural === 'persistentvolumeclaims'
        ? { version: '1', objects: [named('a', '1')] }
        : { status: 403, message: denied.replaceAll('persistentvolumes', plural) },
    served: () => ['buckets'],
  };
  const kinds = [resources.volume, resources.secret, resources.bucketClass, resources.claim];
  const { things, leftOut } = await find(pages, routingOf(kinds)).found;
  expect(things).toHaveLength(1);
  expect(leftOut).toEqual([
    { kind: 'PersistentVolume', reason: denied, isExpected: false },
    { kind: 'Secret', reason: expect.stringContaining('cannot list resource "secrets"'), isExpected: true },
    { kind: 'BucketClass', reason: 'the cluster does not serve it', isExpected: true },
  ]);
});

test('after a list that breaks off everything is begun anew, so that nothing is noted that is gone', async () => {
  const pages = pagesOf({
    persistentvolumes: [
      { version: '1', objects: [named('gone', '1')] },
      { version: '1', objects: [named('there', '1')] },
    ],
    persistentvolumeclaims: [{ status: 410, message: 'the provided continue parameter is too old' }],
  });
  const { found, skipped } = find(pages, routingOf([resources.volume, resources.claim]));
  const { things, objects } = await found;
  expect([things.map(({ object }) => object.name), objects, skipped]).toEqual([['there'], 1, []]);
});

test('a server that does not answer is told of after some attempts', async () => {
  const { found, api } = find({ page: () => ({ status: 500 }) }, routingOf([resources.claim]));
  await expect(found).rejects.toThrow('not now');
  expect(api.asked).toHaveLength(5);
});

test('one that is stopped while it lists says that nothing was sent', async () => {
  const over = new AbortController();
  const page = () => {
    over.abort();
    return { status: 500 };
  };
  const { found } = find({ page }, routingOf([resources.claim]), over.signal);
  await expect(found).rejects.toThrow('stopped before everything was listed: nothing was sent');
});

test('an object that cannot be understood keeps no other from being found', async () => {
  const pages = pagesOf({
    persistentvolumeclaims: [
      { version: '1', objects: [named('odd', '1'), named('NOT/legal', '1'), named('even', '1')] },
    ],
  });
  const routing = routingOf([resources.claim], (_, name) => {
    if (name === 'odd') throw new Error('odd');
    return true;
  });
  const { found, skipped } = find(pages, routing);
  expect((await found).things.map(({ object }) => object.name)).toEqual(['even']);
  expect(skipped).toEqual(['odd']);
});

test('a cluster of which too much is unfinished is given up, and another one is not', async () => {
  const objects = Array.from({ length: 50 }, (_, at) => claim({ metadata: { name: `claim-${at}`, uid: `uid-${at}` } }));
  const pages = pagesOf({ persistentvolumeclaims: [{ version: '1', objects }] });
  const memory = new MemoryPool(20_000);
  const routing = routingOf([resources.claim]);
  await expect(find(pages, routing, undefined, memory).found).rejects.toMatchObject({ class: 'oversized' });
  const few = pagesOf({ persistentvolumeclaims: [{ version: '1', objects: objects.slice(0, 2) }] });
  expect((await find(few, routing, undefined, memory).found).things).toHaveLength(2);
});
