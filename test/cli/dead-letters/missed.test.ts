import { expect, jest, test } from '@jest/globals';
import { printMissed } from '../../../cli/dead-letters/find-dead-letters.ts';

test('letters that were not had are told by why, where there are any', () => {
  const told = jest.spyOn(console, 'error').mockImplementation(() => {});
  printMissed(
    new Map([
      ['match-claim', { behind: 0, above: 0, elsewhere: 0 }],
      ['match-transfer', { behind: 1, above: 2, large: 3, elsewhere: 4 }],
    ]),
  );
  const lines = told.mock.calls.map(([line]) => String(line));
  told.mockRestore();
  expect(lines).toEqual([
    expect.stringMatching(/^match-transfer: about 1 more that SQS does not hand out now/),
    expect.stringMatching(/^match-transfer: about 2 more above --limit/),
    expect.stringMatching(
      /^match-transfer: about 3 more than can be read at once, because these are large: handle these first/,
    ),
    expect.stringMatching(/^match-transfer: about 4 held by another command/),
  ]);
});
