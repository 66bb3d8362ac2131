import { expect, test } from '@jest/globals';
import { durationSince, measured } from '../../../../lib/capabilities/transfers/measurements.ts';
import { approval, request } from '../../../support/builders.ts';

const now = new Date('2026-03-01T12:00:00Z');
const createdAt = (creationTimestamp: string) => ({ metadata: { creationTimestamp } });
const since = (...agreed: Parameters<typeof durationSince>[2]) => durationSince(now, 'ByRequest', agreed).value;

test('a transfer is counted by its kind, and one that failed by its reason too', () => {
  expect(measured('TransfersStarted', 'ByAnnotation').dimensions).toEqual({ Transfer: 'ByAnnotation' });
  expect(measured('TransfersFailed', 'ByRequest', 'SourceLost')).toEqual({
    name: 'TransfersFailed',
    unit: 'Count',
    value: 1,
    dimensions: { Transfer: 'ByRequest', Reason: 'SourceLost' },
  });
});

test('it took as long as it is since the last of those who must agree did so', () => {
  const first = request(createdAt('2026-03-01T11:00:00Z'));
  const second = approval(createdAt('2026-03-01T11:59:00Z'));
  expect([since(first, second), since(second, first), since(first)]).toEqual([60_000, 60_000, 3_600_000]);
  expect(since(new Date('2026-03-01T11:59:59Z'), first)).toBe(1_000);
});

test('those who are not there, or do not say when they came, do not count', () => {
  const unknown = request({ metadata: { creationTimestamp: 'unknown' } });
  expect(since(undefined, unknown, approval(createdAt('2026-03-01T11:59:00Z')))).toBe(60_000);
  expect([since(), since(undefined), since(unknown)]).toEqual([0, 0, 0]);
});

test('nothing takes less than no time, whatever the clocks say', () => {
  expect(since(request(createdAt('2026-03-01T12:00:05Z')))).toBe(0);
});
