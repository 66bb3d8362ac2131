import { expect, test } from '@jest/globals';
import { judge } from '../../../tools/template-check/check.ts';
import { auditFindings, type Finding, lintFindings } from '../../../tools/template-check/checkers.ts';
import { type Exception, exceptions } from '../../../tools/template-check/exceptions.ts';

const finding: Finding = { template: 'default', check: 'CKV_AWS_18', resource: 'ArchiveBucket', message: 'no log' };
const exception: Exception = { check: 'CKV_AWS_18', resources: /^ArchiveBucket$/, because: 'It is so.' };

test('what an exception excuses is no finding', () => {
  expect(judge([finding], [exception])).toEqual({ findings: [], unneeded: [] });
});

test.each([
  { ...finding, check: 'CKV_AWS_21' },
  { ...finding, resource: 'OtherBucket' },
])('an exception excuses nothing else: %j', (other) => {
  expect(judge([other], [exception])).toEqual({ findings: [other], unneeded: [exception] });
});

test('an exception for one template excuses no other', () => {
  const limited = { ...exception, templates: ['hardened'] };
  expect(judge([finding], [limited])).toEqual({ findings: [finding], unneeded: [limited] });
});

test('each exception says in a sentence why', () => {
  expect(exceptions.filter(({ because }) => !/^[A-Z].{60,}\.$/.test(because))).toEqual([]);
});

test('nothing that cfn-lint says is nothing found', () => {
  expect(lintFindings('')).toEqual([]);
});

test('a template that checkov could not read, or did not look at, is no good template', () => {
  const unread = { results: { failed_checks: [] }, summary: { passed: 3, parsing_errors: 1 } };
  expect(() => auditFindings(JSON.stringify(unread))).toThrow('checkov could not read a template');
  expect(() => auditFindings('{"passed":0,"failed":0}')).toThrow('checkov could not read a template');
});
