import { expect, test } from '@jest/globals';
import type { BucketContent } from '../../../../lib/capabilities/buckets/objects.ts';
import * as stage from './bucket-stages.ts';
import { routesAfter, type Seen, toBucket, toContent } from './routes-after.ts';

const parameters = { driverSecretName: 'administrator' };
const refused = { phase: 'Retrying', startedAt: stage.startedAt } as const;
const named = (name: string, spec: Partial<BucketContent['spec']> = {}, more: object = {}) =>
  stage.content({
    metadata: { name, uid: `uid-of-${name}`, ...more },
    spec: { parameters, bucketRef: { namespace: 'prod', name, uuid: `uid-of-bucket-${name}` }, ...spec },
    status: refused,
  });
const { deletionTimestamp } = stage;
const administrators = stage.source(stage.data, { name: 'administrator', uid: 'uid-admin', ownerReferences: [] });
const to = (name: string) => toContent.replace(stage.contentName, name);
const seen = (object: Seen[1]): Seen => ['added', object];

test('a driver’s Secret that was mended lets those go on that wait for it, deletions first', () => {
  const waiting = [
    seen(named('kept')),
    seen(named('going', {}, { deletionTimestamp })),
    seen(named('other', { parameters: {} })),
  ];
  for (const type of ['added', 'updated'] as const) {
    expect(routesAfter(...waiting, [type, administrators])).toEqual([to('going'), to('kept')]);
  }
  expect(routesAfter(...waiting, ['deleted', administrators])).toEqual([]);
});

test('a Secret of that name in another namespace is none of the driver’s', () => {
  const elsewhere = stage.source(stage.data, { namespace: 'prod', name: 'administrator', ownerReferences: [] });
  expect(routesAfter(seen(named('kept')), ['updated', elsewhere])).toEqual([]);
});

test.each<[string, Seen[]]>([
  ['is gone', [['deleted', named('guest', { flow: 'Brownfield' })]]],
  [
    'has given it back',
    [['updated', { ...named('guest', { flow: 'Brownfield' }), status: { phase: 'Released' } } as BucketContent]],
  ],
])('a content that %s lets those go on that wait for the same bucket', (_, changes) => {
  const owner = named('owner', {}, { deletionTimestamp });
  const stranger = named('stranger', { bucketIdentifier: 'another' });
  const guest = named('guest', { flow: 'Brownfield', bucketIdentifier: stage.storeName });
  const last = changes.map(([type, object]): Seen => {
    const content = object as BucketContent;
    const moved: BucketContent = { ...content, spec: { ...content.spec, bucketIdentifier: stage.storeName } };
    return [type, moved];
  });
  const routes = routesAfter(seen(owner), seen(stranger), seen(guest), ...last);
  expect(routes).toContain(to('owner'));
  expect(routes).not.toContain(to('stranger'));
  expect(routes.filter((route) => route === toBucket)).toEqual([]);
});
