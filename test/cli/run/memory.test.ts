import { expect, test } from '@jest/globals';
import { megabytesFor } from '../../../cli/run/memory.ts';

const megabyte = 1024 * 1024;

test.each([
  ['what was given', 200, 4_096 * megabyte, 200],
  ['the limit of a container', undefined, 256 * megabyte, 256],
  ['enough, though the limit is higher', undefined, 4_096 * megabyte, 512],
  ['the least that works, though the limit is lower', undefined, 10 * megabyte, 96],
  ['enough without a limit, which older versions of Node report as nothing', undefined, 0, 512],
  ['enough without a limit, which others report as very much', undefined, 18_446_744_073_709_552_000, 512],
])('the memory is %s', (_what, given, constrained, megabytes) => {
  expect(megabytesFor(given, constrained)).toBe(megabytes);
});
