import { expect, test } from '@jest/globals';
import { declared } from '../../../lib/capabilities/declarations.ts';
import { different } from '../../../tools/generate/generate.ts';
import { missing } from '../../../tools/generate/missing.ts';
import { transferSteps } from '../../support/transfer-steps.ts';

test('what is generated is what the declarations say: if not, run `npm run generate`', () => {
  expect(different().map(({ path }) => path)).toEqual([]);
});

test('what is written by hand for each step is there', () => {
  expect(missing()).toEqual([]);
});

test('test/support/transfer-steps.ts has each step of transfers', () => {
  expect(transferSteps).toEqual(declared.transfers.map(({ step }) => step));
});
