import { describe, expect, test } from '@jest/globals';
import { readConfig } from '../../../lib/runtime/config.ts';

const cluster = { name: 'main', access: { type: 'kubeconfig', from: 'file:/{function}' } };
const given = { LONGSHORE_FUNCTION: 'forward', LONGSHORE_CLUSTERS: JSON.stringify([cluster]) };
const clusters = (...list: unknown[]) => ({ ...given, LONGSHORE_CLUSTERS: JSON.stringify(list) });
const access = (fields: object) => clusters({ name: 'main', access: fields });

test('the least that must be set is enough, and the function puts its name where it is asked for', () => {
  expect(readConfig(given)).toEqual({
    function: 'forward',
    deployment: 'longshore',
    clusters: [{ name: 'main', access: { type: 'kubeconfig', from: 'file:/forward' } }],
    queues: {},
    drivers: [],
    identity: '',
    queueUrl: undefined,
    maxReceives: 8,
    maxFanOut: 10_000,
    logLevel: 'info',
    megabytes: 512,
  });
});

test('everything that can be set is read', () => {
  const config = readConfig({
    ...given,
    LONGSHORE_QUEUES: '{"rebind-volume":"https://queue"}',
    LONGSHORE_QUEUE_URL: 'https://own',
    LONGSHORE_MAX_RECEIVES: '3',
    LONGSHORE_MAX_FAN_OUT: '500',
    LONGSHORE_LOG_LEVEL: 'error',
    LONGSHORE_DEPLOYMENT: 'longshore-production',
  });
  expect(config).toMatchObject({
    queues: { 'rebind-volume': 'https://queue' },
    queueUrl: 'https://own',
    maxReceives: 3,
    maxFanOut: 500,
    logLevel: 'error',
    deployment: 'longshore-production',
  });
});

test.each(['prod/eu west', 'a:b', '~', 'x'.repeat(255)])('a cluster may be called %s', (name) => {
  expect(readConfig(clusters({ ...cluster, name })).clusters).toMatchObject([{ name }]);
});

test.each([':main', 'münchen', 'a\nb', 'a\u007f', ' ', '', 'x'.repeat(256)])(
  'no metric could be counted by %j: no cluster and no deployment may be called that',
  (name) => {
    const wanted =
      'must be of 1 to 255 printable characters of ASCII, not all blanks, with no colon at the beginning: write';
    expect(() => readConfig(clusters({ ...cluster, name }))).toThrow(`LONGSHORE_CLUSTERS[0].name ${wanted}`);
    if (name === '') return;
    expect(() => readConfig({ ...given, LONGSHORE_DEPLOYMENT: name })).toThrow(`LONGSHORE_DEPLOYMENT ${wanted}`);
  },
);

test.each([
  ['', 'info'],
  ['info', 'info'],
  ['error', 'error'],
  ['debug', 'debug'],
])('the level %j means %s', (text, level) => {
  expect(readConfig({ ...given, LONGSHORE_LOG_LEVEL: text }).logLevel).toBe(level);
});

describe('each mistake has a message of its own', () => {
  const eks = { type: 'eks', server: 'https://a', certificateAuthority: 'QQ==' };
  const rows: [string, Record<string, string>, string][] = [
    ['no function', { LONGSHORE_CLUSTERS: '[]' }, 'LONGSHORE_FUNCTION is not set'],
    ['no clusters', { LONGSHORE_FUNCTION: 'forward' }, 'LONGSHORE_CLUSTERS is not set'],
    [
      'an unknown level',
      { ...given, LONGSHORE_LOG_LEVEL: 'verbose' },
      'LONGSHORE_LOG_LEVEL must be info, error or debug',
    ],
    ['clusters that are not JSON', { ...given, LONGSHORE_CLUSTERS: 'main' }, 'LONGSHORE_CLUSTERS is not JSON'],
    ['an empty list of clusters', clusters(), 'LONGSHORE_CLUSTERS must be a JSON array of at least one cluster'],
    ['a cluster instead of a list', { ...given, LONGSHORE_CLUSTERS: '{}' }, 'LONGSHORE_CLUSTERS must be a JSON array'],
    ['a cluster that is a text', clusters('main'), 'LONGSHORE_CLUSTERS[0] must be a JSON object'],
    ['a cluster without a name', clusters({ access: cluster.access }), 'LONGSHORE_CLUSTERS[0].name is missing'],
    [
      'two clusters whose names are the same in a tag, so that each would own the buckets of the other',
      clusters({ ...cluster, name: 'prod#1' }, { ...cluster, name: 'prod_1' }),
      'LONGSHORE_CLUSTERS has the clusters "prod#1" and "prod_1", which are the same in a tag of a bucket: rename',
    ],
    ['two clusters of one name', clusters(cluster, cluster), 'LONGSHORE_CLUSTERS has two clusters named "main"'],
    ['no access', clusters(cluster, { name: 'b' }), 'LONGSHORE_CLUSTERS[1].access is missing'],
    ['an unknown access', access({ type: 'magic' }), 'access.type must be kubeconfig, token or eks'],
    [
      'an access that every object has',
      access({ type: 'constructor' }),
      'access.type must be kubeconfig, token or eks',
    ],
    [
      'a kubeconfig from nowhere',
      access({ type: 'kubeconfig' }),
      'access.from is missing: access of type kubeconfig needs it',
    ],
    [
      'a token without a server',
      access({ type: 'token', from: 'file:/a' }),
      'access.server is missing: access of type token needs it',
    ],
    ['EKS without a cluster name', access(eks), 'access.clusterName is missing: access of type eks needs it'],
    [
      'a field that is misspelt, which would be ignored',
      access({ type: 'token', server: 'https://a', from: 'file:/a', certificateAuthorty: 'QQ==' }),
      'access.certificateAuthorty is unknown; known are type, server, certificateAuthority, from',
    ],
    ['queues that are not JSON', { ...given, LONGSHORE_QUEUES: 'a' }, 'LONGSHORE_QUEUES is not JSON'],
    ['a list of queues', { ...given, LONGSHORE_QUEUES: '[]' }, 'LONGSHORE_QUEUES must be a JSON object'],
    [
      'a queue that is a number',
      { ...given, LONGSHORE_QUEUES: '{"a":1}' },
      'LONGSHORE_QUEUES.a must be the address of a queue',
    ],
    [
      'two functions at one queue',
      { ...given, LONGSHORE_QUEUES: '{"a":"https://q","b":"https://r","c":"https://q"}' },
      'LONGSHORE_QUEUES has one address for a and c: each needs its own queue',
    ],
    [
      'no receives at all',
      { ...given, LONGSHORE_MAX_RECEIVES: '0' },
      'LONGSHORE_MAX_RECEIVES must be a whole number of at least 1',
    ],
    ['half a receive', { ...given, LONGSHORE_MAX_RECEIVES: '1.5' }, 'LONGSHORE_MAX_RECEIVES must be a whole number'],
    ['receives in words', { ...given, LONGSHORE_MAX_RECEIVES: 'two' }, 'LONGSHORE_MAX_RECEIVES must be a whole number'],
  ];
  test.each(rows)('%s', (_, environment, message) => {
    expect(() => readConfig(environment)).toThrow(message);
  });
});
