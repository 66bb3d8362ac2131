import { describe, expect, test } from '@jest/globals';
import type { Bucket } from '../../../../lib/capabilities/buckets/objects.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import * as stage from './bucket-stages.ts';
import {
  reconsideredAfter,
  routesOfEach,
  routesOfList,
  toBucket,
  toContent,
  toDriver,
  toSecret,
} from './routes-after.ts';

const { asked, bucket, bucketClass, content, deleting, ready, source, startedAt, target } = stage;
const conditions = [stage.copied, stage.said('Bound', 'Bound', undefined, true)];
const bound = bucket({ status: { phase: 'Bound', conditions } });
const left: Bucket = { ...bound, status: { phase: 'Bound', conditions } };
const boundContent = ready({ status: { phase: 'Bound', startedAt } });

describe('a list takes up', () => {
  test.each<[string, string[], ...ClusterObject[]]>([
    ['a Bucket that is not bound', [toBucket], asked],
    ['of one that is, its Secret that has gone unseen', [toSecret], source(), boundContent, bound],
    [
      'of one that is, and has its Secret, only what may be in that',
      [`${toSecret} (check)`],
      ...[source(), target(), boundContent, bound],
    ],
    ['a Bucket that an earlier version has left', [toBucket, toSecret], source(), boundContent, left],
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
    ['a registration, which may be of others', [`${toDriver} (check)`], stage.registration()],
    ['one that goes', [toDriver], stage.registration('deployment-1', { deletionTimestamp: stage.deletionTimestamp })],
    [
      'no driver that is registered, because a class names it',
      [`${toDriver} (check)`],
      ...[stage.registration(), bucketClass()],
    ],
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

describe('the work of another object', () => {
  const bucketName = 'Bucket prod/photos';
  const contentName = `BucketContent ${stage.contentName}`;
  const unbound = ready();

  test('is over when the last part of a Bucket is there, whichever that is', () => {
    const check = [`${toSecret} (check)`];
    const left = (...objects: ClusterObject[]) => reconsideredAfter(objects.map((each) => ['added', each]));
    expect(left(source(), target(), boundContent, bound)).toEqual({ [contentName]: [] });
    expect(left(source(), target(), bound, boundContent)).toEqual({ [bucketName]: check });
    const both = { [bucketName]: check, [contentName]: [] };
    expect(left(source(), bound, boundContent, target())).toEqual(both);
    expect(left(target(), bound, boundContent, source())).toEqual(both);
  });

  test('begins again when one of them goes', () => {
    const before: ['added', ClusterObject][] = [source(), target(), boundContent, bound].map((each) => ['added', each]);
    expect(reconsideredAfter([...before, ['deleted', target()]])[bucketName]).toEqual([toSecret]);
    expect(reconsideredAfter([...before, ['deleted', source()]])[contentName]).toEqual([toContent, toBucket]);
    expect(reconsideredAfter([...before, ['deleted', bound]])).toEqual({ [contentName]: [toContent, toBucket] });
    expect(reconsideredAfter([...before, ['updated', unbound]])[bucketName]?.[0]).toBe(toBucket);
  });

  test('does not depend on Secrets that nobody shows', () => {
    expect(
      reconsideredAfter(
        [
          ['added', bound],
          ['added', boundContent],
        ],
        true,
      ),
    ).toEqual({ [bucketName]: [`${toSecret} (check)`] });
    expect(
      reconsideredAfter(
        [
          ['added', boundContent],
          ['added', bound],
        ],
        true,
      ),
    ).toEqual({ [contentName]: [] });
  });

  test('of a class is its driver, as long as that is registered', () => {
    const named = bucketClass();
    const name = `BucketClass ${named.metadata.name}`;
    const registered: ['added', ClusterObject][] = [
      ['added', named],
      ['added', stage.registration()],
    ];
    expect(reconsideredAfter(registered)).toEqual({ [name]: [] });
    expect(reconsideredAfter([...registered, ['deleted', stage.registration()]])).toEqual({ [name]: [toDriver] });
  });
});
