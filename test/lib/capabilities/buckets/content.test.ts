import { describe, expect, test } from '@jest/globals';
import {
  belongsTo,
  contentFor,
  flowOf,
  isHeld,
  problemOf,
  withFinalizer,
  withoutFinalizer,
} from '../../../../lib/capabilities/buckets/content.ts';
import type { BucketClass } from '../../../../lib/capabilities/buckets/objects.ts';
import * as stage from './bucket-stages.ts';

const { bucket, bucketClass, content } = stage;
const secretRef = { namespace: 'vault', name: 'shared' };
const without = (...fields: (keyof BucketClass)[]): BucketClass => {
  const entries = Object.entries(bucketClass()).filter(([field]) => !fields.some((each) => each === field));
  return Object.fromEntries(entries) as unknown as BucketClass;
};

describe('a class is for', () => {
  test.each<[string, BucketClass, object]>([
    ['new buckets', bucketClass(), { flow: 'Greenfield' }],
    ['new buckets that stay', bucketClass({ releasePolicy: 'Retain' }), { flow: 'Greenfield' }],
    ['a bucket that exists', stage.classes.Brownfield, { flow: 'Brownfield' }],
    [
      'a bucket that exists, which stays unless it is said',
      { ...without('releasePolicy'), bucketIdentifier: 'a' },
      { flow: 'Brownfield' },
    ],
    ['credentials that exist', stage.classes.Static, { flow: 'Static' }],
    [
      'nothing, with both',
      bucketClass({ bucketIdentifier: 'a', secretRef }),
      { problem: expect.stringContaining('both') },
    ],
    [
      'nothing, with neither driver nor Secret',
      without('provisioner'),
      { problem: expect.stringContaining('neither') },
    ],
    [
      'nothing, with a bucket but no driver',
      { ...without('provisioner'), bucketIdentifier: 'a' },
      { problem: expect.stringContaining('neither') },
    ],
    [
      'nothing, where it would delete what existed',
      bucketClass({ bucketIdentifier: 'a' }),
      { problem: expect.stringContaining('Retain') },
    ],
    [
      'nothing, where it would delete what an administrator made',
      bucketClass({ secretRef }),
      { problem: expect.stringContaining('Retain') },
    ],
  ])('%s', (_, given, flow) => {
    expect(flowOf(given)).toEqual(flow);
  });
});

test('only a new bucket needs a legal prefix', () => {
  const reserved = bucket({ spec: { bucketPrefix: 'xn--a' } });
  expect(problemOf(reserved, bucketClass())).toContain('xn--');
  expect([problemOf(reserved, stage.classes.Brownfield), problemOf(reserved, stage.classes.Static)]).toEqual([
    undefined,
    undefined,
  ]);
  expect(problemOf(bucket(), bucketClass({ bucketIdentifier: 'a', secretRef }))).toContain('both');
});

describe('a content', () => {
  test('has all of the class that is needed without it', () => {
    const given = bucketClass({ accessMode: 'ro', supportedProtocols: ['s3'], parameters: { region: 'eu' } });
    expect(contentFor(bucket(), given, 'Greenfield').spec).toEqual({
      ...content().spec,
      accessModes: ['ro'],
      supportedProtocols: ['s3'],
      parameters: { region: 'eu' },
    });
  });

  test('keeps the bucket unless its class says otherwise', () => {
    expect(contentFor(bucket(), without('releasePolicy'), 'Greenfield').spec.releasePolicy).toBe('Retain');
  });

  test('of a static bucket has no driver, neither as a label', () => {
    const { spec, metadata } = contentFor(bucket(), { ...stage.classes.Static, provisioner: 's3' }, 'Static');
    expect([spec.provisioner, metadata.labels, spec.secretRef]).toEqual([undefined, {}, secretRef]);
  });

  test('belongs to one Bucket for all time, whatever another one is called', () => {
    const namesake = bucket({ metadata: { uid: 'uid-other' } });
    expect([belongsTo(content(), bucket()), belongsTo(content(), namesake), belongsTo(undefined, bucket())]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

test("other finalizers are somebody else's", () => {
  const audited = bucket({ metadata: { finalizers: ['a/b'] } });
  expect([isHeld(audited), isHeld(bucket()), isHeld(stage.asked)]).toEqual([false, true, false]);
  expect([withFinalizer(audited), withFinalizer(stage.asked)]).toEqual([['a/b', stage.finalizer], [stage.finalizer]]);
  const both = bucket({ metadata: { finalizers: [stage.finalizer, 'a/b'] } });
  expect([withoutFinalizer(both), withoutFinalizer(stage.asked)]).toEqual([['a/b'], []]);
});
