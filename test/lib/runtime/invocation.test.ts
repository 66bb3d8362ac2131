import { expect, test } from '@jest/globals';
import { fieldsOf } from '../../../lib/runtime/invocation.ts';

test.each([[undefined], [null], [{}]])('%j says nothing', (event) => {
  expect(fieldsOf(event)).toEqual({});
});

test('an object is what it says', () => {
  expect(fieldsOf({ cluster: 'main' })).toEqual({ cluster: 'main' });
});

test.each([[[]], [['main']], ['main'], [7], [true]])('%j was meant for something else', (event) => {
  expect(() => fieldsOf(event)).toThrow('must be a JSON object, or be left out: nothing was done');
});
