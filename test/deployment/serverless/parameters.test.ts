import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { ParametersRefused, parameterNames, readParameters } from '../../../deployment/serverless/parameters.ts';
import { rowsIn } from '../../../tools/generate/table.ts';
import { clusters, clustersNamed, defaults, file, place } from '../../support/completed-service.ts';

test('what serverless.yml says of each parameter is right, but for the clusters, of which it can know nothing', () => {
  expect(Object.keys(file.params.default).sort()).toEqual([...parameterNames].sort());
  expect(readParameters(defaults, place)).toMatchObject({ archive: true, 'step-maximum-concurrency': 10 });
  expect(refusal({ clusters: '' })).toEqual([
    expect.stringMatching(/^clusters is missing: use --param clusters='\[\{"name":"main"/),
  ]);
});

test('docs/configuration.md explains each parameter', () => {
  const rows = rowsIn(readFileSync(new URL('../../../docs/configuration.md', import.meta.url), 'utf8'), 'parameters');
  expect(rows.filter((cells) => !/^.*\w.*\.$/.test(cells.at(-1) ?? ''))).toEqual([]);
  expect(rows).toHaveLength(parameterNames.length);
});

const key = (region: string) => `arn:aws:kms:${region}:111122223333:key/1234abcd-12ab`;

test.each([
  ['clusters', 'no JSON', 'clusters is not JSON: use'],
  ['clusters', '[]', 'clusters must be a JSON array of at least one cluster, such as'],
  ['clusters', '[{"name":"main"}]', 'clusters[0].access is missing: use'],
  ['clusters', clustersNamed('münchen'), 'clusters[0].name must be of 1 to 255 printable characters of ASCII'],
  ['clusters', clustersNamed(':main'), 'with no colon at the beginning: write a name such as "main"'],
  ['clusters', access({ type: 'eks' }), 'clusters[0].access.server is missing: access of type eks needs it'],
  ['clusters', access({ type: 'kubeconfig', from: 'file:/tmp/config' }), 'clusters[0].access.from must begin with'],
  [
    'clusters',
    access({ type: 'kubeconfig', from: 'secretsmanager:longshore/staging/clusters/main/{function}' }),
    'clusters[0].access.from must end with longshore/production/clusters/main/{function}: the roles of the functions',
  ],
  [
    'clusters',
    access({ type: 'kubeconfig', from: 'ssm:/longshore/production/clusters/main/forward' }),
    'must end with',
  ],
  ['drivers', '{}', 'drivers must be a JSON array of drivers: use'],
  ['drivers', '[{"name":"s3.longshore.dev","type":"tape"}]', 'drivers[0].type must be s3 or shared-keys'],
  ['permissions-boundary', 'mine', 'permissions-boundary must be none or the ARN of a policy, but is "mine"'],
  ['bucket-requests', '{"requests":[{}]}', 'bucket-requests'],
  [
    'capabilities',
    'transfers,tapes',
    'capabilities has "tapes", but the capabilities are transfers, buckets, data-sources',
  ],
  ['capabilities', '', 'capabilities has "", but the capabilities are transfers, buckets, data-sources'],
  ['architecture', 'arm', 'architecture must be arm64 or x86_64, but is "arm": use --param architecture=arm64'],
  ['archive', 'true', 'archive must be on or off, but is "true": use --param archive=on'],
  ['archive-days', '0', 'archive-days must be a whole number from 1 to 36500, but is "0"'],
  ['forward-timeout-seconds', '60', 'forward-timeout-seconds must be a whole number from 80 to 900, but is "60"'],
  [
    'forward-memory-megabytes',
    '128',
    'forward-memory-megabytes must be a whole number from 192 to 10240, but is "128"',
  ],
  ['step-timeout-seconds', 'abc', 'step-timeout-seconds must be a whole number from 5 to 900, but is "abc"'],
  ['step-timeout-seconds', '31', 'step-visibility-timeout-seconds must be at least six times step-timeout-seconds'],
  ['step-maximum-concurrency', '1', 'step-maximum-concurrency must be a whole number from 2 to 1000, but is "1"'],
  ['log-retention-days', '31', 'log-retention-days must be one of 1, 3, 5, 7, 14, 30,'],
  ['kms-key', 'yes', 'kms-key must be off, on, or the ARN of a key, but is "yes"'],
  ['kms-key', key('us-east-1'), 'kms-key is a key in us-east-1, but this deployment is in eu-central-1'],
  ['former-kms-keys', 'alias/mine', 'former-kms-keys has "alias/mine", which is not the ARN of a key'],
  ['senders', 'operators', 'senders has "operators", which is not the ARN of a user or a role'],
  ['subnet-ids', 'subnet-1', 'subnet-ids has "subnet-1", which is not the id of a subnet'],
  ['subnet-ids', 'subnet-0123456789abcdef0', 'security-group-ids is missing, but subnet-ids are given: use --param'],
  ['security-group-ids', 'sg-0123456789abcdef0', 'subnet-ids is missing, but security-group-ids are given'],
  ['page-topic', 'mine', 'page-topic must be none or the ARN of an SNS topic, but is "mine"'],
  ['alarm-topic', 'mine', 'alarm-topic must be none or the ARN of an SNS topic, but is "mine"'],
  ['alarm-topic', 'arn:aws:sns:us-east-1:111122223333:mine', 'alarm-topic is a topic in us-east-1, but alarms are in'],
  ['clutsers', 'x', 'clutsers is not a parameter: use one of clusters, capabilities, '],
])('%s=%s is refused, and what to write is said', (name, value, problem) => {
  expect(refusal({ [name]: value })).toEqual([expect.stringContaining(problem)]);
});

test('all that is wrong is said at once', () => {
  const lines = refusal({ archive: 'yes', tracing: 'on', 'kms-key': '' });
  expect(lines.map((line) => line.split(' ')[0])).toEqual(['archive', 'kms-key', 'tracing']);
});

test.each(['Production', 'eu_west', '-', 'a'.repeat(36), 'prod.eu'])('%s is no stage', (stage) => {
  expect(refusal({}, stage)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^the stage must consist of .*: use --stage production$/)]),
  );
});

test.each([
  ['kms-key', key('eu-central-1')],
  ['former-kms-keys', `${key('eu-central-1')}, ${key('us-east-1')}`],
  ['senders', 'arn:aws:iam::111122223333:role/aws-reserved/sso.amazonaws.com/*/Operators_*'],
  ['alarm-topic', 'arn:aws:sns:eu-central-1:111122223333:night-shift'],
  ['clusters', access({ type: 'token', server: 'https://x', from: 'ssm:/longshore/production/clusters/a/{function}' })],
  ['capabilities', 'transfers'],
])('%s=%s is right', (name, value) => {
  expect(() => readParameters({ ...defaults, [name]: value }, place)).not.toThrow();
});

function access(fields: object): string {
  return JSON.stringify([{ name: 'main', access: fields }]);
}

function refusal(different: Record<string, string>, stage = place.stage): string[] {
  try {
    readParameters({ ...defaults, clusters, ...different }, { ...place, stage });
  } catch (error) {
    if (error instanceof ParametersRefused)
      return error.message
        .split('\n')
        .slice(1)
        .map((line) => line.trim());
    throw error;
  }
  return [];
}
