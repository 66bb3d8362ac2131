import { expect, test } from '@jest/globals';
import { displayName, resources } from '../../lib/cluster/resources.ts';
import type { Change } from '../../lib/reconcile/routing.ts';
import { capabilities, createRouter, watchedResources } from '../../lib/routes.ts';
import { fenced, now } from '../functions/stages.ts';
import { request } from '../support/builders.ts';

const fencedSource: Change = { type: 'updated', resource: resources.claim, object: fenced(), seenAt: now };
const requestGone: Change = { type: 'deleted', resource: resources.transferRequest, object: request(), seenAt: now };

test('every kind that a capability watches is watched, once', () => {
  expect(new Set(watchedResources).size).toBe(watchedResources.length);
  for (const resource of capabilities.flatMap((capability) => capability.resources)) {
    expect(watchedResources).toContain(resource);
  }
});

test('what is waited for is listed before what waits, so that a request is the last to be known', () => {
  expect(watchedResources.at(-1)).toBe(resources.transferRequest);
});

test('the router takes note of a change for every capability and answers the routes of all', () => {
  const router = createRouter();
  router.note(fencedSource);
  router.note(requestGone);
  const routes = router.routesOf(requestGone).map((route) => `${route.function} ${displayName(route.key)}`);
  expect(routes).toEqual(['rebind-volume volume-1']);
});

test('one router knows nothing of what another has noted', () => {
  const [first, second] = [createRouter(), createRouter()];
  first.note(fencedSource);
  expect(second.routesOf(requestGone)).toEqual([]);
});
