import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../../../../../lib/kubernetes/objects.ts';
import { paths, reading, source } from '../../populate-reading.ts';
import * as stage from '../../populate-stages.ts';

const { contentCopy, held, prime, primeBound, snapshotCopy } = stage;

describe('what the provisioner complains of is read', () => {
  const event = (note: string, fields: object = {}, version = '5'): ClusterObject =>
    ({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { namespace: 'longshore-system', name: `e-${note}`, resourceVersion: version },
      regarding: { kind: 'PersistentVolumeClaim', uid: 'uid-prime' },
      type: 'Warning',
      note,
      ...fields,
    }) as ClusterObject;
  const waiting = prime({ creationTimestamp: stage.ago(6) });
  const begun = [held(), contentCopy(), snapshotCopy()];

  test('of a prime claim that has waited for a while only', async () => {
    expect((await reading(...begun, prime())).asked).not.toContain(paths.events);
    expect((await reading(...begun, waiting)).asked).toContain(paths.events);
    const made = primeBound({ creationTimestamp: stage.ago(60) });
    expect((await reading(...begun, made)).asked).not.toContain(paths.events);
    expect((await reading(...begun)).asked).not.toContain(paths.events);
  });

  test('as it was seen most recently', async () => {
    expect((await reading(...begun, ...source, waiting)).ages).toContain('Event recent');
  });

  test('which is the last word of all', async () => {
    const events = [event('older', {}, '9'), event('last', {}, '10'), event('oldest', {}, '8')];
    expect((await reading(...begun, waiting, ...events)).world.trouble).toBe('last');
  });

  test('and nothing of what is ordinary, or of others', async () => {
    const events = [
      event('fine', { type: 'Normal' }),
      event('other', { regarding: { uid: 'uid-of-another' } }),
      event('none', { regarding: undefined }),
    ];
    expect((await reading(...begun, waiting, ...events)).world.trouble).toBeUndefined();
  });

  test('and nothing for a claim that goes', async () => {
    const { asked } = await reading(held({ metadata: stage.deleting }), waiting);
    expect(asked).not.toContain(paths.events);
  });
});
