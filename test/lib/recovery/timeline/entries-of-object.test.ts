import { describe, expect, test } from '@jest/globals';
import type { ClusterObject, KubernetesEvent, ManagedFields } from '../../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../../lib/kubernetes/resources.ts';
import { entriesOfEvents } from '../../../../lib/recovery/timeline/entries-of-events.ts';
import { entriesOf } from '../../../../lib/recovery/timeline/entries-of-object.ts';
import { formatTimestamp, sortedByTime } from '../../../../lib/recovery/timeline/timeline-entry.ts';
import { claim, request } from '../../../support/builders.ts';
import { ready } from '../../capabilities/buckets/bucket-stages.ts';

const created = '2026-03-01T12:00:00Z';

function told(resource: Resource, object: ClusterObject): string[] {
  const { namespace, name } = object.metadata;
  return sortedByTime(entriesOf(nameOf(resource, namespace, name), object)).map(
    ({ at, source, what }) => `${formatTimestamp(at).slice(11)} ${source} ${what}`,
  );
}

const writer = (manager: string, time: string, subresource?: string): ManagedFields => ({
  manager,
  time,
  operation: 'Update',
  ...(subresource ? { subresource } : {}),
  fieldsV1: { 'f:data': { 'f:password': {} } },
});

test('a request tells when it was made, who wrote to it last, and what its conditions say', () => {
  const conditions = [
    {
      type: 'Matched',
      status: 'False' as const,
      reason: 'ApprovalMissing',
      message: 'there is none',
      lastTransitionTime: '2026-03-01T12:00:01Z',
    },
  ];
  const managedFields = [writer('kubectl-create', created), writer('longshore', '2026-03-01T12:00:01Z', 'status')];
  const error = { time: '2026-03-01T12:00:02.500Z', message: 'no' };
  expect(
    told(resources.transferRequest, {
      ...request({ metadata: { creationTimestamp: created, managedFields }, status: { conditions, error } }),
    }),
  ).toEqual([
    '12:00:00Z object created',
    '12:00:00Z write last write by kubectl-create',
    '12:00:01Z write last write by longshore to its status',
    '12:00:01Z condition Matched False ApprovalMissing: there is none',
    '12:00:02.500Z condition error: no',
  ]);
});

test('what is going says what holds it', () => {
  const metadata = {
    creationTimestamp: created,
    deletionTimestamp: '2026-03-01T12:30:00Z',
    finalizers: ['a/b', 'c/d'],
  };
  expect(told(resources.claim, claim({ metadata })).at(-1)).toBe(
    '12:30:00Z object deletion requested, held by a/b, c/d',
  );
});

test('a content says when its store was called', () => {
  const lines = told(resources.bucketContent, ready());
  expect(lines).toContainEqual('11:58:00.000Z condition first call to the store');
});

describe('in one second with what led to it, an object stands', () => {
  const placeOf = (managedFields: ManagedFields[]) =>
    entriesOf(
      nameOf(resources.claim, 'stage', 'copy'),
      claim({ metadata: { creationTimestamp: created, managedFields } }),
    ).find(({ what }) => what === 'created')?.isReaction;

  test.each([
    ['first, when a user has made it', [writer('kubectl-create', created), writer('longshore', created)], false],
    ['first, when nothing is known', [], false],
    ['last, when we have', [writer('longshore', created), writer('kube-controller-manager', created)], true],
    [
      'last, when users wrote to it later',
      [writer('longshore', created), writer('kubectl', '2026-03-01T12:00:09Z')],
      true,
    ],
  ])('%s', (_, managedFields, isReaction) => {
    expect(placeOf(managedFields)).toBe(isReaction);
  });
});

describe('an Event', () => {
  const about = nameOf(resources.claim, 'stage', 'copy');
  const event = (fields: Partial<KubernetesEvent>): KubernetesEvent => ({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'stage', creationTimestamp: created },
    type: 'Warning',
    reason: 'FailedBinding',
    note: 'no volume',
    regarding: { uid: 'uid-1' },
    ...fields,
  });
  const lineOf = (fields: Partial<KubernetesEvent>) =>
    entriesOfEvents(about, 'uid-1', [event(fields)]).map(({ at, what }) => `${formatTimestamp(at).slice(11)} ${what}`);

  test.each([
    [{ eventTime: '2026-03-01T12:00:03.123456Z' }, '12:00:03.123Z Warning FailedBinding: no volume'],
    [
      {
        eventTime: null,
        deprecatedFirstTimestamp: created,
        deprecatedLastTimestamp: '2026-03-01T12:05:00Z',
        deprecatedCount: 21,
      },
      '12:05:00Z Warning FailedBinding (21 times since 2026-03-01T12:00:00Z): no volume',
    ],
    [
      {
        eventTime: '2026-03-01T12:00:03.123456Z',
        series: { count: 3, lastObservedTime: '2026-03-01T12:09:00.000000Z' },
      },
      '12:09:00.000Z Warning FailedBinding (3 times since 2026-03-01T12:00:03.123Z): no volume',
    ],
    [{}, '12:00:00Z Warning FailedBinding: no volume'],
    [{ regarding: { uid: 'uid-0' } }, '12:00:00Z Warning FailedBinding, of another object of this name: no volume'],
  ])('with %j is told by one line', (fields, expected) => {
    expect(lineOf(fields)).toEqual([expected]);
  });
});
