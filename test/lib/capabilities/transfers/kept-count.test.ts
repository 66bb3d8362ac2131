import { expect, test } from '@jest/globals';
import { createRouter, selectionOf } from '../../../../lib/capabilities/all-capabilities.ts';
import { select } from '../../../../lib/json/selection.ts';
import type { Volume } from '../../../../lib/kubernetes/objects.ts';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import type { Change } from '../../../../lib/reconcile/routing.ts';
import { claim, volume } from '../../../support/builders.ts';

const seenAt = new Date(0);
const named = (name: string, kept?: string): Volume =>
  volume({ metadata: { name, ...(kept ? { labels: { 'longshore.dev/kept': kept, other: 'label' } } : {}) } });

/** What the forwarder counts when it has seen these. */
function countsAfter(...changes: [Change['type'], Volume][]) {
  const router = createRouter();
  for (const [type, found] of changes) {
    // Only what the forwarder reads of a volume.
    const object = select(found, selectionOf(resources.volume)) as Volume;
    router.note({ type, resource: resources.volume, object, seenAt });
  }
  router.note({ type: 'listed', resource: resources.claim, object: claim(), seenAt });
  return { volumes: router.counts?.volumes, keptVolumes: router.counts?.keptVolumes };
}

test('volumes are counted as they are listed, come and go, and nothing else is', () => {
  expect(countsAfter(['listed', named('one')], ['listed', named('two', 'without-claim')])).toEqual({
    volumes: 2,
    keptVolumes: 1,
  });
  expect(countsAfter(['listed', named('one')], ['added', named('two')], ['deleted', named('one')])).toEqual({
    volumes: 1,
    keptVolumes: 0,
  });
});

test('a volume is kept as long as it has the label, and goes as one that was kept', () => {
  const first = ['added', named('one')] as const;
  const kept = ['updated', named('one', 'by-deleted-claim')] as const;
  const still = ['updated', named('one', 'without-claim')] as const;
  expect(countsAfter([...first], [...kept], [...still])).toEqual({ volumes: 1, keptVolumes: 1 });
  expect(countsAfter([...first], [...kept], ['updated', named('one')])).toEqual({ volumes: 1, keptVolumes: 0 });
  expect(countsAfter([...first], [...kept], ['deleted', named('one', 'by-deleted-claim')])).toEqual({
    volumes: 0,
    keptVolumes: 0,
  });
});
