import { describe, expect, test } from '@jest/globals';
import { by, creating, deleting, eventIn, made, refusalIn } from './samples.ts';

const sender = { source: 'team.billing', account: '111122223333', id: 'event-1', time: '2026-11-18T14:55:00.000Z' };
const place = { cluster: 'main', namespace: 'team-a', name: 'reports' };

describe('a request', () => {
  test('to create names a class, and the Secret is named after the Bucket', () => {
    const spec = { bucketClassName: 'fast', secretName: 'reports-credentials' };
    expect(eventIn(creating())).toEqual({ action: 'create', sender, ...place, spec });
  });

  test('may name the Secret, and how the bucket is to begin', () => {
    const spec = { bucketClassName: 'fast', secretName: 'keys', bucketPrefix: 'Reports-' };
    expect(eventIn(creating({ secretName: 'keys', bucketPrefix: 'Reports-' }))).toMatchObject({ spec });
  });

  test('to delete names the Bucket and no more', () => {
    expect(eventIn(deleting())).toEqual({ action: 'delete', sender, ...place });
  });
});

describe('a call that CloudTrail tells of', () => {
  const ofS3 = { ...sender, source: 'aws.s3' };

  test('tells the bucket, and the role that made it', () => {
    const role = 'arn:aws:iam::111122223333:role/analyst';
    expect(eventIn(made('data-1'))).toEqual({ action: 'adopt', sender: ofS3, bucket: 'data-1', role });
  });

  test.each([
    ['a user', { type: 'IAMUser', arn: 'arn:aws:iam::111122223333:user/anna' }],
    ['nobody that is named', undefined],
    ['a session without an issuer', { type: 'AssumedRole', sessionContext: {} }],
  ])('tells no role where it was %s', (_, userIdentity) => {
    expect(eventIn(made('data-1', { userIdentity }))).toMatchObject({ action: 'adopt', role: undefined });
  });

  test.each([
    ['failed', { errorCode: 'BucketAlreadyExists' }],
    ['made no bucket', { eventName: 'DeleteBucket' }],
    ['made a directory bucket', { eventSource: 's3express.amazonaws.com' }],
  ])('is no concern of ours when it %s', (_, different) => {
    expect(eventIn(made('data-1', different))).toMatchObject({ action: 'none' });
  });
});

describe('what is refused, with what to write instead', () => {
  const long = 'a'.repeat(254);
  const name = 'it must be a name of at most 253 lower-case letters, digits, hyphens and dots, such as "reports"';
  const namespace = 'it must be a name of at most 63 lower-case letters, digits and hyphens, such as "reports"';
  const prefix = 'it must be a string of 1 to 31 characters, or be left out';
  const rows: [string, string, string][] = [
    ['no JSON', 'reports', 'it is not JSON: only EventBridge may write to this queue'],
    ['a list', '[]', 'it is not a JSON object: only EventBridge may write to this queue'],
    [
      'no id',
      creating({}, { id: undefined }),
      'id is missing or not a string, though EventBridge sets it in every event',
    ],
    [
      'no account',
      creating({}, { account: 1 }),
      'account is missing or not a string, though EventBridge sets it in every event',
    ],
    [
      'no source',
      creating({}, { source: '' }),
      'source is missing or not a string, though EventBridge sets it in every event',
    ],
    ['no detail', JSON.stringify({ ...JSON.parse(creating()), detail: 'reports' }), 'detail is not a JSON object'],
    [
      'another type',
      creating({}, { 'detail-type': 'Bucket' }),
      'detail-type "Bucket" from "team.billing" is unknown: it must be "Longshore Bucket Request"',
    ],
    [
      "CloudTrail's type from somebody else",
      made('data-1', {}, { source: 'team.billing' }),
      'detail-type "AWS API Call via CloudTrail" from "team.billing" is unknown: it must be "Longshore Bucket Request"',
    ],
    [
      'a new bucket without a name',
      made(undefined),
      'detail.requestParameters.bucketName, which CloudTrail writes, is missing',
    ],
    ['no action', creating({ action: undefined }), 'detail.action is nothing: it must be "create" or "delete"'],
    ['another action', creating({ action: 'update' }), 'detail.action is "update": it must be "create" or "delete"'],
    [
      'an action of every object',
      creating({ action: 'toString' }),
      'detail.action is "toString": it must be "create" or "delete"',
    ],
    [
      'an unknown field',
      creating({ class: 'fast' }),
      'detail."class" is unknown: the detail of a create may have action, cluster, namespace, name, bucketClassName, bucketPrefix, secretName',
    ],
    [
      'a class in a deletion',
      deleting({ bucketClassName: 'fast' }),
      'detail."bucketClassName" is unknown: the detail of a delete may have action, cluster, namespace, name',
    ],
    [
      'no cluster',
      creating({ cluster: undefined }),
      'detail.cluster is nothing: it must be the name of a cluster that the deployment serves',
    ],
    ['a number for a name', creating({ name: 7 }), `detail.name is 7: ${name}`],
    ['an upper-case name', creating({ name: 'Reports' }), `detail.name is "Reports": ${name}`],
    ['a path for a name', creating({ name: '../secrets' }), `detail.name is "../secrets": ${name}`],
    ['a name that is too long', creating({ name: long }), `detail.name is "${long.slice(0, 99)}…: ${name}`],
    ['a namespace with a dot', creating({ namespace: 'team.a' }), `detail.namespace is "team.a": ${namespace}`],
    ['no class', creating({ bucketClassName: undefined }), `detail.bucketClassName is nothing: ${name}`],
    ['an illegal Secret', deleting({ name: null }), `detail.name is null: ${name}`],
    ['an empty Secret', creating({ secretName: '' }), `detail.secretName is "": ${name}`],
    [
      'a name too long for a Secret after it',
      creating({ name: 'a'.repeat(250) }),
      'detail.name is too long for a Secret named after it: write detail.secretName as well',
    ],
    ['a number for a prefix', creating({ bucketPrefix: 1 }), `detail.bucketPrefix is 1: ${prefix}`],
    ['an empty prefix', creating({ bucketPrefix: '' }), `detail.bucketPrefix is "": ${prefix}`],
    [
      'a long prefix',
      creating({ bucketPrefix: 'a'.repeat(32) }),
      `detail.bucketPrefix is "${'a'.repeat(32)}": ${prefix}`,
    ],
    [
      'a reserved prefix',
      creating({ bucketPrefix: 'xn--a' }),
      'detail.bucketPrefix "xn--a" begins with xn--, which S3 reserves: choose another',
    ],
  ];
  test.each(rows)('%s', (_, body, message) => {
    expect(refusalIn(() => eventIn(body))).toBe(`Malformed: ${message}`);
  });
});

test('the issuer of a session is read, and not what the session calls itself', () => {
  const userIdentity = { ...by('arn:aws:iam::1:role/analyst'), arn: 'arn:aws:sts::1:assumed-role/other/session' };
  expect(eventIn(made('data-1', { userIdentity }))).toMatchObject({ role: 'arn:aws:iam::1:role/analyst' });
});
