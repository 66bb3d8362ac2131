import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { documentOf } from '../../../cli/dead-letters/document.ts';
import { documentText } from '../../../cli/terminal/document.ts';
import { printableJson } from '../../../cli/terminal/printable.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { deadLetter } from '../../lib/recovery/dead-letters/fake-dead-letter-queue.ts';

const hostile = 'db\u007f\u009b31m\u202e\u2028\u2029\u{e0041}\ud800"\n東京🙂';

test('a line for programs moves no cursor of a terminal, and keeps what is in it', () => {
  const key = { namespace: 'stage', name: hostile };
  const document = documentOf({
    deadLetter: deadLetter('1'),
    subject: { type: 'object', cluster: hostile, resource: resources.transferRequest, key },
    diagnosis: { state: 'open', detail: '' },
    firstFailure: undefined,
    lastFailure: undefined,
    error: undefined,
  });
  const line = documentText(document, 'json');
  expect(line).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(JSON.parse(line)).toMatchObject({ name: hostile, cluster: hostile });
  const yaml = documentText(document, 'yaml');
  expect(yaml.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
  expect(parse(yaml)).toMatchObject({ name: hostile, cluster: hostile });
});

test('what can be read stays as it is', () => {
  expect(printableJson({ name: '東京 🙂', count: 1 })).toBe('{"name":"東京 🙂","count":1}');
  expect(printableJson('\u009b\u{e0041}')).toBe('"\\u009b\\udb40\\udc41"');
});
