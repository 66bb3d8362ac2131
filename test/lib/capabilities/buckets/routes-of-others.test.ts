import { describe, expect, test } from '@jest/globals';
import { buckets } from '../../../../lib/capabilities/buckets/capability.ts';
import type { BucketContent } from '../../../../lib/capabilities/buckets/objects.ts';
import * as stage from './bucket-stages.ts';
import { routesAfter, type Seen, toBucket, toContent, toDriver, toSecret } from './routes-after.ts';

const { asked, bucket, bucketClass, content, ready, source, startedAt, target } = stage;
const conditions = [stage.copied, stage.said('Bound', 'Bound', undefined, true)];
const bound = bucket({ status: { phase: 'Bound', conditions } });
const withStatus = (status: BucketContent['status']) => ready({ status: { startedAt, ...status } });
const boundContent = withStatus({ phase: 'Bound' });
const seen = (object: Seen[1]): Seen => ['added', object];
const all: Seen[] = [seen(source(stage.data)), seen(boundContent), seen(bound)];

describe('a class', () => {
  test.each<[string, string[], ...Seen[]]>([
    [
      'that is new has its driver registered, and lets those go on that waited for it',
      [toDriver, toBucket],
      seen(asked),
      seen(bucketClass()),
    ],
    ['of another name lets nobody go on', [toDriver], seen(asked), seen(bucketClass({ metadata: { name: 'slow' } }))],
    ['matters to no Bucket that is bound', [toDriver], seen(bound), seen(bucketClass())],
    ['without a driver has none registered', [toBucket], seen(asked), seen(stage.classes.Static)],
    ['that is gone concerns nobody', [], seen(asked), ['deleted', bucketClass()]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('a registration', () => {
  const other = content({ spec: { provisioner: 'other' } });
  test.each<[string, string[], ...Seen[]]>([
    ['lets the contents go on that waited for it', [toDriver, toContent], seen(content()), seen(stage.registration())],
    ['of another driver lets nobody go on', [toDriver], seen(other), seen(stage.registration())],
    ['costs nothing where all is done', [toDriver], ...all, seen(stage.registration())],
    ['that is gone is made anew', [toDriver], seen(content()), ['deleted', stage.registration()]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('a Secret', () => {
  const stranger = target({}, { ownerReferences: [], annotations: {} });
  test.each<[string, string[], ...Seen[]]>([
    ['that we put into the place of a Bucket costs nothing', [], ...all, seen(target())],
    ['that somebody has edited is put right', [toSecret], ...all, ['updated', target({})]],
    ['that somebody has deleted comes back', [toSecret], ...all, ['deleted', target()]],
    ["of somebody else's that has gone makes room for ours", [toSecret], ...all, ['deleted', stranger]],
    ['of the driver that has changed is copied', [toSecret], ...all, ['updated', source({})]],
    ['of the driver that has gone is made again', [toSecret, toContent], ...all, ['deleted', source()]],
    ['of the driver that is reserved costs nothing', [], seen(content()), seen(bucket()), seen(source())],
    [
      'of an administrator is copied once it is there',
      [toSecret],
      seen(ready({ spec: { flow: 'Static', secretRef: { namespace: 'vault', name: 'shared' } } })),
      seen(bucket()),
      seen(stage.administratorsSecret),
    ],
    ['in the place of a Bucket without credentials concerns nobody', [], seen(bucket()), ['deleted', target()]],
    ['of anybody else concerns nobody', [], ...all, ['updated', target({}, { name: 'else' })]],
    ['of the same name elsewhere concerns nobody', [], ...all, ['deleted', target({}, { namespace: 'stage' })]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

test('only the kinds that the routes speak of are watched', () => {
  const kinds = ['BucketClass', 'COSIRegistration', 'Secret', 'BucketContent', 'Bucket'];
  expect(buckets.resources.map(({ kind }) => kind).sort()).toEqual(kinds.sort());
});
