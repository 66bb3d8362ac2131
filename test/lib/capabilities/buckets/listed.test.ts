import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import * as stage from './bucket-stages.ts';
import { routesOfEach, routesOfList, toBucket, toContent, toDriver, toSecret } from './routes-after.ts';

const { asked, bucket, bucketClass, content, deleting, ready, source, startedAt, target } = stage;
const conditions = [stage.copied, stage.said('Bound', 'Bound', undefined, true)];
const bound = bucket({ status: { phase: 'Bound', conditions } });
const boundContent = ready({ status: { phase: 'Bound', startedAt } });

describe('a list takes up', () => {
  test.each<[string, string[], ...ClusterObject[]]>([
    ['a Bucket that is not bound', [toBucket], asked],
    ['of one that is, only that its Secret may have changed', [toSecret], source(), boundContent, bound],
    [
      'a Bucket that goes, and its content',
      [toContent, toBucket, toBucket, toContent],
      source(),
      ready({ ...deleting, status: { phase: 'Bound', startedAt } }),
      bucket(deleting),
    ],
    ['a content that is not ready', [toContent, toBucket, toBucket], content(), bucket()],
    ['a content whose driver’s Secret has gone unseen', [toContent, toBucket, toSecret], boundContent, bound],
    ['a content whose Bucket has gone unseen', [toContent, toBucket], source(), boundContent],
    ['the driver that a class names', [toDriver], bucketClass()],
    ['every registration', [toDriver], stage.registration()],
    ['no class without a driver', [], stage.classes.Static],
    ['no Secret by itself', [], source(), target()],
    [
      'nothing of a static Bucket but its Secret',
      [toSecret],
      ready({
        spec: { flow: 'Static', secretRef: { namespace: 'vault', name: 'shared' } },
        status: { phase: 'Bound' },
      }),
      bound,
    ],
  ])('%s', (_, expected, ...objects) => {
    expect(routesOfList(...objects)).toEqual(expected);
  });
});

test('a content is taken up whose Bucket is another one by now', () => {
  const anew = bucket({ metadata: { uid: 'uid-anew' } });
  expect(routesOfList(source(), boundContent, anew)).toEqual(expect.arrayContaining([toContent, toBucket]));
});

test('what is unfinished is taken up in whichever order it is listed', () => {
  expect(routesOfList(bucket(), content()).sort()).toEqual(routesOfList(content(), bucket()).sort());
});

test('the whole way of a new Bucket costs six messages', () => {
  const conditions = [stage.copied];
  const routes = routesOfEach(
    ['added', asked],
    ['updated', bucket()],
    ['updated', bucket({ status: { phase: 'Pending', conditions: [stage.said('Bound', 'Provisioning')] } })],
    ['added', content()],
    ['updated', stage.leased()],
    ['added', source()],
    ['updated', source(stage.data)],
    ['updated', stage.leased({ spec: { secretRef: stage.sourceRef } })],
    ['updated', ready()],
    ['added', target()],
    ['updated', bucket({ status: { phase: 'Pending', conditions } })],
    ['updated', boundContent],
    ['updated', bound],
  );
  expect(routes.flat()).toEqual([toBucket, toContent, toBucket, toSecret, toBucket, toBucket]);
});
