import { expect, test } from '@jest/globals';
import { tableLines } from '../../../cli/terminal/table.ts';

const rows = [
  ['NAME', 'MESSAGE', 'AGE'],
  ['a', 'waits for the approval of namespace team-b', '3s'],
  ['longer', 'done', '12m'],
];

test('columns are as wide as their widest cell', () => {
  expect(tableLines(rows)).toEqual([
    'NAME    MESSAGE                                     AGE',
    'a       waits for the approval of namespace team-b  3s',
    'longer  done                                        12m',
  ]);
});

test('on a narrow terminal the widest column loses its end, and each row stays one line', () => {
  expect(tableLines(rows, 30)).toEqual([
    'NAME    MESSAGE            AGE',
    'a       waits for the ap…  3s',
    'longer  done               12m',
  ]);
});

test('nobody writes on a terminal by a name', () => {
  expect(tableLines([['NAME'], ['a\u001b[2J\nb']])).toEqual(['NAME', 'a?[2J b']);
});
