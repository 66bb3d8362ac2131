import { expect, test } from '@jest/globals';
import { principalName } from '../../../../../lib/capabilities/buckets/drivers/s3/principal-names.ts';

test('an owner is named by its uid, without hyphens', () => {
  expect(principalName('0B6AE584-1361-4040-bdb6-c0fc9c579037')).toBe('cosi-0b6ae58413614040bdb6c0fc9c579037');
});

test.each([
  ['nothing', ''],
  ['hyphens alone', '-'.repeat(20)],
  ['a uid behind a million hyphens', `${'-'.repeat(1_000_000)}0b6ae58413614040bdb6c0fc9c579037`],
  ['a path', '../0b6ae58413614040bdb6c0fc9c579037'],
])('%s is no uid, which is said in a short sentence', (_what, owner) => {
  expect(() => principalName(owner)).toThrow('is not a uid');
  expect(() => principalName(owner)).toThrow(/^.{1,100}$/);
});
