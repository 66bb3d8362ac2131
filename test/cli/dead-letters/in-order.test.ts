import { expect, test } from '@jest/globals';
import { diagnosesOf, diagnosisKeyOf } from '../../../cli/dead-letters/examine.ts';
import { functions } from '../../../cli/dead-letters/known-functions.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { ForeseenBuckets } from '../../../lib/recovery/dead-letters/foreseen-buckets.ts';
import { subjectOf } from '../../../lib/recovery/dead-letters/subject.ts';
import { creating, deleting } from '../../lib/capabilities/buckets/steps/request-bucket/samples.ts';
import { clusterOf } from '../../lib/capabilities/cluster-of.ts';
import { deadLetter } from '../../lib/recovery/dead-letters/fake-dead-letter-queue.ts';

/** Requests about one Bucket are judged one after the other, as they will be processed. */

const before = '2026-11-18T12:00:00Z';
const there: ClusterObject & { spec: object } = {
  apiVersion: resources.bucket.apiVersion,
  kind: 'Bucket',
  metadata: {
    namespace: 'team-a',
    name: 'reports',
    uid: 'uid-1',
    resourceVersion: '7',
    creationTimestamp: before,
    annotations: {
      'longshore.dev/requested-by': 'team.billing',
      'longshore.dev/requested-from': '111122223333',
      'longshore.dev/request': 'event-0',
      'longshore.dev/requested-at': before,
    },
  },
  spec: { bucketClassName: 'fast', secretName: 'reports-credentials' },
};

const requests = { create: creating(), delete: deleting(), 'create another': creating({ name: 'films' }) };

function judging(...objects: ClusterObject[]) {
  const context = {
    functions,
    cluster: async () => clusterOf(...objects),
    servedClusters: ['main'],
    foreseen: new ForeseenBuckets(),
    now: () => new Date('2026-11-19T04:00:00Z'),
  };
  let count = 0;
  return async (...names: (keyof typeof requests)[]) => {
    const deadLetters = names.map((name) => {
      count += 1;
      return deadLetter(String(count), { function: 'request-bucket', body: requests[name] });
    });
    const diagnoses = await diagnosesOf(deadLetters, context);
    return deadLetters.map((each) => {
      const { state, detail } = diagnoses.get(diagnosisKeyOf(each, subjectOf(each, functions))) ?? {};
      return `${state}: ${detail}`;
    });
  };
}

const opens = 'open: it would';
const allowed = ', if the configuration allows it';
const behind = ', after the requests before it';

test('a delete behind a create is not done because nothing is there yet', async () => {
  expect(await judging()('create', 'delete')).toEqual([
    `${opens} create Bucket team-a/reports${allowed}`,
    `${opens} delete Bucket team-a/reports${allowed}${behind}`,
  ]);
  expect(await judging()('delete', 'create')).toEqual([
    'done: Absent',
    `${opens} create Bucket team-a/reports${allowed}`,
  ]);
});

test('a create behind a delete is not done because it is still there', async () => {
  expect(await judging(there)('delete', 'create')).toEqual([
    `${opens} delete Bucket team-a/reports${allowed}`,
    `${opens} create Bucket team-a/reports${allowed}${behind}`,
  ]);
  expect(await judging(there)('create', 'delete')).toEqual([
    'done: AsBefore',
    `${opens} delete Bucket team-a/reports${allowed}`,
  ]);
});

test('it is remembered from one batch of dead letters to the next, and is of one Bucket alone', async () => {
  const judged = judging();
  await judged('create');
  expect(await judged('delete', 'create another', 'delete', 'create')).toEqual([
    `${opens} delete Bucket team-a/reports${allowed}${behind}`,
    `${opens} create Bucket team-a/films${allowed}`,
    `done: Absent${behind}`,
    `${opens} create Bucket team-a/reports${allowed}${behind}`,
  ]);
});
