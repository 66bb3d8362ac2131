import { describe, expect, test } from '@jest/globals';
import type { BucketContent } from '../../../../lib/capabilities/buckets/objects.ts';
import * as stage from './bucket-stages.ts';
import { routesAfter, type Seen, toBucket, toContent, toSecret } from './routes-after.ts';

const { asked, bucket, content, deleting, ready, startedAt } = stage;
const bound = bucket({ status: { phase: 'Bound', conditions: [stage.copied] } });
const withStatus = (status: BucketContent['status']) => ready({ status: { startedAt, ...status } });
const boundContent = withStatus({ phase: 'Bound' });
const seen = (object: Seen[1]): Seen => ['added', object];

describe('a Bucket', () => {
  test.each<[string, string[], ...Seen[]]>([
    ['that is new is bound', [toBucket], seen(asked)],
    ['that we hold costs nothing', [], seen(asked), ['updated', bucket()]],
    [
      'that we tell something costs nothing',
      [],
      seen(bucket()),
      ['updated', bucket({ status: { phase: 'Pending', conditions: [stage.said('Bound', 'Retrying')] } })],
    ],
    [
      'whose Secret is ready is bound',
      [toBucket],
      seen(bucket()),
      ['updated', bucket({ status: { conditions: [stage.copied] } })],
    ],
    [
      'whose Secret is not ready any more is looked at',
      [toBucket],
      seen(bound),
      ['updated', bucket({ status: { phase: 'Bound' } })],
    ],
    ['that is bound costs nothing', [], seen(bucket({ status: { conditions: [stage.copied] } })), ['updated', bound]],
    ['that is deleted takes its content with it', [toBucket, toContent], seen(bound), ['updated', bucket(deleting)]],
    [
      'that goes is told how far it is at no cost',
      [],
      ['updated', bucket(deleting)],
      ['updated', bucket({ ...deleting, status: { conditions: [stage.said('Bound', 'Releasing')] } })],
    ],
    ['that is gone leaves its content to be looked at', [toContent], seen(bound), ['deleted', bucket(deleting)]],
    ['that is made anew is bound', [toBucket], seen(bound), ['updated', bucket({ metadata: { uid: 'uid-anew' } })]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('a content', () => {
  const leased = content({ status: { startedAt, lease: stage.lease(60) } });
  const going = ready({ ...deleting, status: { phase: 'Bound', startedAt } });
  const released = ready({ ...deleting, status: { phase: 'Released', startedAt } });

  test.each<[string, string[], ...Seen[]]>([
    ['that is new is provisioned', [toContent], seen(content())],
    ['whose lease is taken costs nothing', [], seen(content()), ['updated', leased]],
    [
      'that says where its Secret is costs nothing',
      [],
      seen(leased),
      ['updated', content({ ...leased, spec: { secretRef: stage.sourceRef } })],
    ],
    [
      'that waits tells its Bucket why',
      [toBucket],
      seen(content()),
      ['updated', content({ status: { message: 'not registered' } })],
    ],
    [
      'that fails tells its Bucket',
      [toBucket],
      seen(leased),
      ['updated', content({ status: { startedAt, phase: 'Retrying', message: 'busy' } })],
    ],
    [
      'that fails in the same way again costs nothing',
      [],
      seen(withStatus({ phase: 'Retrying', message: 'busy' })),
      ['updated', withStatus({ phase: 'Retrying', message: 'busy', lease: stage.lease(60) })],
    ],
    ['that is ready is bound and copied', [toBucket, toSecret], seen(leased), ['updated', ready()]],
    ['that is deleted is given back', [toContent], seen(boundContent), ['updated', going]],
    [
      'of which a part has been emptied goes on',
      [toContent],
      seen(going),
      ['updated', ready({ ...deleting, status: { phase: 'Bound', startedAt, emptied: 1_000 } })],
    ],
    ['that is released is let go', [toContent, toBucket], seen(going), ['updated', released]],
    [
      'that loses a finalizer is looked at',
      [toContent],
      seen(released),
      ['updated', { ...released, metadata: { ...released.metadata, finalizers: ['a/b'] } }],
    ],
    ['that is gone lets its Bucket go', [toBucket], seen(released), ['deleted', released]],
    [
      'that was made anew is copied anew',
      [toContent, toSecret],
      seen(boundContent),
      ['updated', ready({ metadata: { uid: 'uid-anew' }, status: { phase: 'Bound', startedAt } })],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});
