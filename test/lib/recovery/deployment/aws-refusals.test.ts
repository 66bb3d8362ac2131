import { expect, test } from '@jest/globals';
import { refusalOf } from '../../../../lib/recovery/deployment/aws-refusals.ts';

const named = (name: string, message = 'AWS says no.') => Object.assign(new Error(message), { name });
const ofSystem = (code: string) => Object.assign(new Error(`connect ${code}`), { code });

test.each<[string, unknown, RegExp]>([
  ['no credentials', named('CredentialsProviderError'), /^there are no AWS credentials: log in, or set AWS_PROFILE/],
  [
    'an unknown key',
    named('InvalidClientTokenId'),
    /^AWS does not know the access key: check AWS_PROFILE.* \(AWS says no\)$/,
  ],
  ['a wrong secret', named('SignatureDoesNotMatch'), /^the secret key does not belong to the access key/],
  ['an old session', named('ExpiredToken'), /^the AWS session is over: log in again/],
  ['too few rights', named('AccessDenied'), /^these keys may not read it: allow cloudformation:DescribeStacks/],
  ['a region that is none', ofSystem('ENOTFOUND'), /^AWS has no address for the region eu-centrl-1: check AWS_REGION/],
  ['no network', new AggregateError([ofSystem('ECONNREFUSED')]), /^AWS cannot be reached from here/],
  ['anything else', named('Odd', 'odd.'), /^odd\. Check AWS_REGION \(eu-centrl-1\) and AWS_PROFILE$/],
])('%s is said in one sentence', (_, error, expected) => {
  expect(refusalOf(error, 'eu-centrl-1')).toMatch(expected);
});

test('without a region nothing else can be wrong', () => {
  expect(refusalOf(new Error('Region is missing'), undefined)).toMatch(/^no region is set: set AWS_REGION/);
});
