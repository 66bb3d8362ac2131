import { expect, test } from '@jest/globals';
import { archiveSent } from '../../../lib/recovery/archive-sent.ts';
import { hurriedClock } from '../../support/hurried-clock.ts';
import { FakeSegments, messageOf } from '../archive/fake-segments.ts';

test('what is kept is in the archive when it is closed', async () => {
  const store = new FakeSegments();
  const { keep, close } = archiveSent({ cluster: 'main', store, clock: hurriedClock });
  keep(messageOf('a'));
  keep(messageOf('b'));
  expect(await close()).toBeUndefined();
  expect(store.messages.map(({ body }) => body)).toEqual(['a', 'b']);
});

test('an archive that is away holds nobody up, and it is said what is not in it', async () => {
  const store = { put: async () => Promise.reject(new Error('AccessDenied')) };
  const { keep, close } = archiveSent({ cluster: 'main', store, clock: hurriedClock });
  keep(messageOf('a'));
  expect(await close()).toBe('1 messages were sent and are not in the archive: Error: AccessDenied');
});

test('more than some megabytes are not held for it', async () => {
  const store = { put: () => new Promise<void>(() => {}) };
  const { keep, close } = archiveSent({ cluster: 'main', store, clock: hurriedClock });
  const mebibyte = 'x'.repeat(1024 * 1024);
  for (let count = 0; count < 20; count += 1) keep(messageOf(mebibyte));
  expect(await close()).toMatch(/^20 messages were sent and are not in the archive/);
});

test('a deployment without an archive keeps nothing, and misses nothing', async () => {
  const { keep, close } = archiveSent({ cluster: 'main', store: undefined, clock: hurriedClock });
  keep(messageOf('a'));
  expect(await close()).toBeUndefined();
});
