import { expect, test } from '@jest/globals';
import { readEvent } from '../../../lib/recovery/replay/event.ts';

const now = new Date('2026-11-19T06:00:00Z');

test('an event says from when on, and everything else may be left out', () => {
  expect(readEvent({ from: '6h' }, now)).toEqual({
    begin: { from: new Date('2026-11-19T00:00:00Z'), to: now, cluster: undefined, filter: {}, oncePerKey: false },
    isDryRun: false,
    ratePerSecond: 100,
    skipDamaged: false,
  });
});

test('an event can say what is meant, and how', () => {
  const about = { cluster: 'main', kind: 'pvc', namespace: 'team', name: 'claim', function: 'match-claim' };
  const how = { rate: 100, oncePerKey: true, skipDamaged: true, dryRun: true };
  expect(readEvent({ from: '2026-11-19T03:00Z', to: '2026-11-19T05:30+01:00', ...about, ...how }, now)).toEqual({
    begin: {
      from: new Date('2026-11-19T03:00:00Z'),
      to: new Date('2026-11-19T04:30:00Z'),
      cluster: 'main',
      filter: { kind: 'PersistentVolumeClaim', namespace: 'team', name: 'claim', function: 'match-claim' },
      oncePerKey: true,
    },
    isDryRun: true,
    ratePerSecond: 100,
    skipDamaged: true,
  });
});

test('a run that goes on may be told how fast, and nothing of what it began with', () => {
  expect(readEvent({ resume: 'replay-1', rate: 5 }, now)).toMatchObject({
    begin: { resume: 'replay-1' },
    ratePerSecond: 5,
  });
});

test.each<[unknown, string]>([
  [undefined, 'it must be a JSON object'],
  [[], 'it must be a JSON object'],
  ['6h', 'it must be a JSON object'],
  [{}, 'from is missing'],
  [{ From: '6h' }, 'unknown field "From"; known fields are from, to,'],
  [{ from: '' }, 'from must be a string'],
  [{ from: 6 }, 'from must be a string'],
  [{ from: '6 hours' }, 'from must be a time with a time zone'],
  [{ from: '2026-11-19T03:00' }, 'from must be a time with a time zone'],
  [{ from: '6h', to: '7h' }, 'from must be before to'],
  [{ from: '6h', kind: 'Clam' }, 'unknown kind "Clam"'],
  [{ from: '6h', rate: 0 }, 'rate must be a whole number of messages per second, from 1 to 100000'],
  [{ from: '6h', rate: '50' }, 'rate must be a whole number'],
  [{ from: '6h', dryRun: 'no' }, 'dryRun must be true or false'],
  [{ resume: 'replay-1', from: '6h' }, 'from cannot be used with resume'],
  [{ resume: 'replay-1', dryRun: true }, 'dryRun cannot be used with resume'],
])('%j is refused: %s', (event, problem) => {
  expect(() => readEvent(event, now)).toThrow(problem);
  expect(() => readEvent(event, now)).toThrow('Nothing was sent');
});
