import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../../../../lib/runtime/config.ts';

const cluster = { name: 'main', access: { type: 'kubeconfig', from: 'file:/{function}' } };
const given = {
  LONGSHORE_FUNCTION: 'request-bucket',
  LONGSHORE_CLUSTERS: JSON.stringify([cluster]),
  LONGSHORE_DEAD_LETTERS_URL: 'https://dead-letters',
  LONGSHORE_DRIVER_ROLE: 'arn:role',
};
const request = { source: 'team.billing', clusters: ['main'], namespaces: ['team-*'], classes: ['fast'] };
const adoption = { buckets: ['data-*'], cluster: 'main', namespace: 'team-a', bucketClass: 'existing' };
const permitting = (permissions: unknown) => ({ ...given, LONGSHORE_BUCKET_REQUESTS: JSON.stringify(permissions) });
const requests = (different: object) => permitting({ requests: [{ ...request, ...different }] });
const adoptions = (different: object) => permitting({ adoptions: [{ ...adoption, ...different }] });

test('nothing is allowed unless it is said', () => {
  const nothing = { requests: [], adoptions: [] };
  const settings = { permissions: nothing, deadLettersUrl: 'https://dead-letters', driverRole: 'arn:role' };
  expect(readConfig(given).bucketRequests).toEqual(settings);
  expect(readConfig(permitting({})).bucketRequests).toEqual(settings);
});

test('a function that hears no requests need not say anything', () => {
  expect(readConfig({ ...given, LONGSHORE_DEAD_LETTERS_URL: '' }).bucketRequests).toBeUndefined();
});

test('all that is said is read', () => {
  const account = '111122223333';
  const permissions = { requests: [request, { ...request, account }], adoptions: [{ ...adoption, account }] };
  expect(readConfig(permitting(permissions)).bucketRequests?.permissions).toEqual(permissions);
});

describe('each mistake has a message of its own', () => {
  const whole = 'LONGSHORE_BUCKET_REQUESTS';
  const patterns = 'must be a JSON array of names, such as ["team-*"]';
  const model = 'bucketClass must be the name of a BucketClass, of at most 189 characters';
  const rows: [string, Record<string, string>, string][] = [
    ['no JSON', { ...given, [whole]: 'all' }, `${whole} is not JSON`],
    ['a list', permitting([]), `${whole} must be a JSON object`],
    ['a misspelt part', permitting({ request: [] }), `${whole}.request is unknown; known are requests, adoptions`],
    ['one request', permitting({ requests: request }), `${whole}.requests must be a JSON array`],
    ['a request that is a text', permitting({ requests: ['a'] }), `${whole}.requests[0] must be a JSON object`],
    [
      'a misspelt field',
      requests({ namespace: ['a'] }),
      `${whole}.requests[0].namespace is unknown; known are source, account, clusters, namespaces, classes`,
    ],
    ['no source', requests({ source: '' }), '.source must be the source of events, such as team.billing'],
    ['a source of AWS', requests({ source: 'aws.s3' }), '.source must be the source of events, such as team.billing'],
    ['an account that is a number', requests({ account: 111122223333 }), '.account must be a string of 12 digits'],
    ['no clusters', requests({ clusters: [] }), `.clusters ${patterns}`],
    ['one namespace', requests({ namespaces: 'a' }), `.namespaces ${patterns}`],
    [
      'a class that is empty',
      requests({ classes: ['a', ''] }),
      '.classes[1] must be a name, or a pattern such as team-*',
    ],
    ['no buckets', adoptions({ buckets: undefined }), `${whole}.adoptions[0].buckets is missing`],
    ['a cluster that is a list', adoptions({ cluster: ['main'] }), ".cluster must be a cluster's name"],
    ['a namespace that is none', adoptions({ namespace: 'team-*' }), '.namespace must be the name of a namespace'],
    ['a class that is a pattern', adoptions({ bucketClass: 'a*' }), model],
    ['a class with too long a name', adoptions({ bucketClass: 'a'.repeat(190) }), model],
    [
      "adoptions, but not the driver's role",
      { ...adoptions({}), LONGSHORE_DRIVER_ROLE: '' },
      "LONGSHORE_DRIVER_ROLE is not set: without it, the driver's own buckets would be adopted",
    ],
  ];
  test.each(rows)('%s', (_, environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});
