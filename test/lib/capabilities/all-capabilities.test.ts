import { describe, expect, test } from '@jest/globals';
import {
  capabilities,
  createRouter,
  routingFor,
  watchedResources,
} from '../../../lib/capabilities/all-capabilities.ts';
import { displayName, resources } from '../../../lib/kubernetes/resources.ts';
import type { Change } from '../../../lib/reconcile/routing.ts';
import { request } from '../../support/builders.ts';
import { fenced, now } from './transfers/stages.ts';

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

describe('of the functions that have queues', () => {
  const functionsOf = (name: string) => capabilities.find((each) => each.name === name)?.functions ?? [];
  const byAnnotation = functionsOf('transfers by annotation');

  test('all that there are watch everything', () => {
    const { resources: watched } = routingFor(capabilities.flatMap(({ functions }) => functions));
    expect([...watched]).toEqual([...watchedResources]);
  });

  test('those of one capability watch its kinds alone, and tell nobody else', () => {
    const { resources: watched, createRouter: create } = routingFor(byAnnotation);
    expect([...watched]).toEqual([resources.volume, resources.claim]);
    const router = create();
    router.note(fencedSource);
    router.note(requestGone);
    expect(router.routesOf(requestGone)).toEqual([]);
  });

  test('each route leads to one of the functions that its capability names', () => {
    const router = createRouter();
    router.note(fencedSource);
    const named = capabilities.flatMap(({ functions }) => functions);
    for (const { function: name } of router.routesOf(fencedSource)) expect(named).toContain(name);
  });

  test.each([
    [[], 'LONGSHORE_QUEUES has no queues: each capability needs a queue for each of its functions'],
    [['match-clam', ...byAnnotation], 'has a queue for match-clam, but nothing is forwarded to it'],
    [['match-claim'], 'has a queue for match-claim, but none for rebind-volume, which it needs'],
  ])('%j are refused, with what to do', (functions, problem) => {
    expect(() => routingFor(functions)).toThrow(problem);
  });
});
