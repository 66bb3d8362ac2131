import { expect, test } from '@jest/globals';
import { eventOf } from '../../../lib/reconcile/events.ts';
import type { Announcement } from '../../../lib/reconcile/step.ts';
import { request, volume } from '../../support/builders.ts';

const now = new Date('2026-03-01T12:00:00.123Z');
const announcement: Announcement = {
  regarding: request(),
  type: 'Warning',
  reason: 'TargetExists',
  message: 'delete it',
};

test('an event says who, why and what in the words of its API', () => {
  expect(eventOf(announcement, now)).toMatchObject({
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { namespace: 'stage' },
    regarding: { kind: 'StorageTransferRequest', namespace: 'stage', name: 'move', uid: 'uid-request' },
    eventTime: '2026-03-01T12:00:00.123000Z',
    type: 'Warning',
    reason: 'TargetExists',
    note: 'delete it',
  });
});

test('the same words have the same name whenever they are said, and other words another', () => {
  const name = (overrides: Partial<Announcement>, at = now) =>
    eventOf({ ...announcement, ...overrides }, at).metadata.name;
  expect(name({}, new Date(0))).toBe(name({}));
  expect(name({})).toMatch(/^move\.[0-9a-f]{16}$/);
  const names = [
    name({}),
    name({ message: 'other' }),
    name({ reason: 'Other' }),
    name({ regarding: request({ metadata: { uid: 'other' } }) }),
  ];
  expect(new Set(names).size).toBe(4);
});

test('an event about what has no namespace stands in the default one', () => {
  expect(eventOf({ ...announcement, regarding: volume() }, now).metadata.namespace).toBe('default');
});

test('a long message is cut to what the server takes', () => {
  expect(eventOf({ ...announcement, message: 'x'.repeat(5_000) }, now).note).toHaveLength(1024);
});

test('a long name leaves room for the rest', () => {
  const regarding = request({ metadata: { name: 'n'.repeat(253) } });
  expect(eventOf({ ...announcement, regarding }, now).metadata.name.length).toBeLessThanOrEqual(253);
});

test('a name that is cut at a dot or dash is still a legal name', () => {
  for (const separator of ['.', '-', '.-']) {
    const name = `${'n'.repeat(230 - separator.length)}${separator}${'n'.repeat(20)}`;
    expect(eventOf({ ...announcement, regarding: request({ metadata: { name } }) }, now).metadata.name).toMatch(
      /^n+\.[0-9a-f]{16}$/,
    );
  }
});
