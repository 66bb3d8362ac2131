import { describe, expect, test } from '@jest/globals';
import * as offer from '../offer-stages.ts';
import { routesAfter, type Seen, toSource, toTarget } from './routes-after.ts';

const unoffered = offer.offered({ annotations: {} });
const wished = (transferRequest: string) => ({ annotations: { transferRequest } });

describe('those who accept a claim that is not offered to them', () => {
  const accepting: Seen = ['added', offer.accepting()];
  const second = offer.accepting({ namespace: 'test', name: 'end', uid: 'uid-end' });
  test.each<[string, string[], ...Seen[]]>([
    [
      'are told when it is offered to another one',
      [toSource, toTarget],
      accepting,
      ['added', offer.offered(wished('test/end'))],
    ],
    [
      'are told when it is no longer offered',
      [toSource, toTarget],
      accepting,
      ['added', offer.offered()],
      ['updated', unoffered],
    ],
    ['are told when it is gone', [toTarget], accepting, ['added', offer.offered()], ['deleted', offer.offered()]],
    [
      'are told each, except the one that it is offered to',
      [toSource, 'match-claim test/end'],
      accepting,
      ['added', second],
      ['added', offer.offered()],
    ],
    [
      'are not told of a list: they are listed themselves',
      [toSource],
      accepting,
      ['listed', offer.offered(wished('test/end'))],
    ],
    [
      'are not told once they accept another one',
      [toSource],
      accepting,
      ['updated', offer.accepting({ annotations: {} })],
      ['added', offer.offered(wished('test/end'))],
    ],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});
