import { describe, expect, test } from '@jest/globals';
import { confirmationAnnotation } from '../../../../lib/kubernetes/namespace-consent.ts';
import type { ClusterObject } from '../../../../lib/kubernetes/objects.ts';
import { formerAnnotation } from '../../../../lib/kubernetes/storage-class.ts';
import {
  claimGrant,
  linkedClaim,
  linkGrant,
  referringClaim,
  snapshotLink,
  storageClass,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';
import * as stage from './populate-stages.ts';
import { routesAfter, routesOfEach, type Seen, toClaim } from './routes-after.ts';

const { bound, contentCopy, deletionTimestamp, held, prime, primeBound, snapshotCopy } = stage;
const seen = (...objects: ClusterObject[]): Seen[] => objects.map((object) => ['added', object]);
const waiting = held();
const confirmed = { annotations: { [confirmationAnnotation]: 'uid-test' } };
const done = bound([stage.said('True', 'Populated')], { finalizers: [] });

describe('what a claim waits for wakes it:', () => {
  const other = { ...linkedClaim(), metadata: { ...linkedClaim().metadata, namespace: 'stage' } };
  const refers = referringClaim();
  const linked = [waiting, snapshotLink()];
  const small = volumeSnapshot({ status: { restoreSize: '9Gi' } });
  const unready = volumeSnapshot({ status: { readyToUse: false } });

  test.each<[string, Seen[], Seen]>([
    ['its link', seen(waiting), ['added', snapshotLink()]],
    ['its link that goes', seen(...linked), ['deleted', snapshotLink()]],
    ['its link that begins to go', seen(...linked), ['updated', snapshotLink({ metadata: { deletionTimestamp } })]],
    [
      'its link that is made anew',
      seen(...linked),
      ['updated', snapshotLink({ metadata: { uid: 'anew' }, spec: { source: { name: 'b' } } })],
    ],
    ['the snapshot of its link', seen(...linked), ['added', volumeSnapshot()]],
    ['the snapshot that its reference names', seen(refers), ['added', volumeSnapshot()]],
    ['the snapshot that is ready', seen(...linked, unready), ['updated', volumeSnapshot()]],
    [
      'the snapshot that is bound',
      seen(...linked, { ...volumeSnapshot(), status: undefined } as never),
      ['updated', unready],
    ],
    ['the snapshot that tells its size', seen(...linked, volumeSnapshot()), ['updated', small]],
    [
      'the snapshot that fails',
      seen(...linked, unready),
      ['updated', volumeSnapshot({ status: { readyToUse: false, error: { message: 'no' } } })],
    ],
    [
      'the snapshot that begins to go',
      seen(...linked, volumeSnapshot()),
      ['updated', volumeSnapshot({ metadata: { deletionTimestamp } })],
    ],
    ['the snapshot that goes', seen(...linked, volumeSnapshot()), ['deleted', volumeSnapshot()]],
    [
      'another snapshot of the name',
      seen(...linked, volumeSnapshot()),
      ['updated', volumeSnapshot({ metadata: { uid: 'anew' } })],
    ],
    ['a grant for its link', seen(...linked), ['added', linkGrant()]],
    ['a grant that changes', seen(...linked, linkGrant()), ['updated', { ...linkGrant(), spec: {} } as ClusterObject]],
    ['a grant that is confirmed', seen(...linked, linkGrant()), ['updated', linkGrant({ metadata: confirmed })]],
    ['its link that is confirmed', seen(...linked), ['updated', snapshotLink({ metadata: confirmed })]],
    ['its own confirmation', seen(waiting), ['updated', held({ metadata: confirmed })]],
    ['a grant that goes', seen(...linked, linkGrant()), ['deleted', linkGrant()]],
    ['a grant for its reference', seen(refers), ['added', claimGrant()]],
    ['its class', seen(...linked), ['added', storageClass()]],
    ['its class that changes', seen(...linked), ['updated', storageClass()]],
    [
      'the class that its annotation names',
      seen(held({ metadata: { annotations: { [formerAnnotation]: 'gold' } } })),
      ['added', storageClass({ metadata: { name: 'gold' } })],
    ],
    ['the class of its reference', seen(refers), ['added', storageClass()]],
    ['the copy of the snapshot that is ready', seen(waiting, snapshotCopy({})), ['updated', snapshotCopy()]],
    [
      'the copy of the snapshot that fails',
      seen(waiting, snapshotCopy({})),
      ['updated', snapshotCopy({ error: { message: 'no' } })],
    ],
    ['the prime claim that is bound', seen(waiting, prime()), ['updated', primeBound()]],
    [
      'the prime claim whose node is taken off',
      seen(waiting, prime({ annotations: { ...stage.forClaim, [stage.selectedNode]: 'n' } })),
      ['updated', prime()],
    ],
    ['the prime claim that is gone', seen(waiting, prime()), ['deleted', prime()]],
    ['the copy of the snapshot that is gone', seen(waiting, snapshotCopy()), ['deleted', snapshotCopy()]],
    ['the copy of the content that is gone', seen(waiting, contentCopy()), ['deleted', contentCopy()]],
    ['a copy that was made too late for it', seen(done), ['added', contentCopy()]],
    ['a prime claim that was made too late for it', seen(done), ['added', prime()]],
  ])('%s', (_, before, change) => {
    expect(routesAfter(...before, change)).toEqual([toClaim]);
  });

  test.each<[string, Seen[], Seen]>([
    ['a link of another namespace', seen(waiting), ['added', snapshotLink({ metadata: { namespace: 'stage' } })]],
    ['another link', seen(waiting), ['added', snapshotLink({ metadata: { name: 'today' } })]],
    ['another snapshot', seen(...linked), ['added', volumeSnapshot({ metadata: { name: 'other' } })]],
    [
      'a snapshot of the name in another namespace',
      seen(...linked),
      ['added', volumeSnapshot({ metadata: { namespace: 'stage' } })],
    ],
    [
      'the snapshot of a link that is gone',
      [...seen(...linked), ['deleted', snapshotLink()]],
      ['added', volumeSnapshot()],
    ],
    [
      'the snapshot that says nothing new',
      seen(...linked, volumeSnapshot()),
      ['updated', volumeSnapshot({ metadata: { labels: { a: 'b' } } })],
    ],
    ['a grant of another namespace', seen(...linked), ['added', linkGrant({ metadata: { namespace: 'stage' } })]],
    ['another class', seen(...linked), ['added', storageClass({ metadata: { name: 'slow' } })]],
    ['anything once it is at rest', [...seen(snapshotLink()), ['added', done]], ['added', linkGrant()]],
    ['its snapshot once it is at rest', [...seen(snapshotLink()), ['added', done]], ['added', volumeSnapshot()]],
    ['its link once it is at rest', seen(done), ['added', snapshotLink()]],
  ])('but not %s', (_, before, change) => {
    expect(routesAfter(...before, change)).toEqual([]);
  });

  test('all that wait for one thing, each once', () => {
    const theirs = { ...snapshotLink(), metadata: { ...snapshotLink().metadata, namespace: 'stage' } };
    const before = seen(waiting, snapshotLink(), other, theirs, {
      ...refers,
      metadata: { ...refers.metadata, name: 'third' },
    });
    expect(routesAfter(...before, ['added', volumeSnapshot()]).sort()).toEqual([
      'populate-claim stage/copy',
      'populate-claim test/copy',
      'populate-claim test/third',
    ]);
  });

  test('whatever is seen first', () => {
    expect(routesOfEach(['added', snapshotLink()], ['added', volumeSnapshot()], ['added', waiting])).toEqual([
      [],
      [],
      [toClaim],
    ]);
  });

  test('a link that stands for another snapshot now leads from that', () => {
    const moved = snapshotLink({ spec: { source: { namespace: 'prod', name: 'other' } } });
    const before: Seen[] = [...seen(waiting, snapshotLink()), ['updated', moved]];
    expect(routesAfter(...before, ['added', volumeSnapshot()])).toEqual([]);
    expect(routesAfter(...before, ['added', volumeSnapshot({ metadata: { name: 'other' } })])).toEqual([toClaim]);
  });
});
