import { expect, test } from '@jest/globals';
import { helpWidth, lineWidth } from '../../../cli/terminal/width.ts';

test.each([
  [{ isTTY: true, columns: 60 }, 60, 60],
  [{ isTTY: true, columns: 200 }, 200, 120],
  [{ isTTY: true }, 80, 80],
  [{}, Number.POSITIVE_INFINITY, 120],
])('for %j lines are cut at %d and help at %d', (stream, lines, help) => {
  expect([lineWidth(stream), helpWidth(stream)]).toEqual([lines, help]);
});
