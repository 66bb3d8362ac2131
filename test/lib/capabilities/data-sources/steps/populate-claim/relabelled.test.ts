import { describe, expect, test } from '@jest/globals';
import {
  claimGrant,
  linkGrant,
  namespace,
  referringClaim,
  snapshotLink,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { agreed } from '../../populate-stages.ts';
import { settle, summaryOf } from '../../populate-table.ts';

/** Made anew by other people, when everything else was there already. */
const anew = { uid: 'uid-anew', creationTimestamp: '2026-03-01T11:00:00Z' };

/** A tool that applies a whole manifest owns all of it by one entry, whose time is that of the last change of anything in it. */
const relabelled = {
  labels: { 'app.kubernetes.io/version': '2' },
  managedFields: [
    {
      manager: 'helm',
      operation: 'Apply',
      time: '2026-03-01T11:30:00Z',
      fieldsV1: { 'f:metadata': { 'f:labels': {} }, 'f:spec': {} },
    },
  ],
};

const ways = {
  link: { grants: [linkGrant({ metadata: relabelled })], link: snapshotLink({ metadata: relabelled }) },
  claim: {
    grants: [claimGrant({ metadata: relabelled })],
    claim: referringClaim({ metadata: relabelled }),
    link: undefined,
  },
};

describe.each(['link', 'claim'] as const)(
  'a label of a later chart confirms no namespace that was made anew: %s',
  (way) => {
    const before = { link: { link: snapshotLink() }, claim: { claim: referringClaim() } }[way];

    test('it is not granted to those who have the name now', () => {
      const world = agreed({ ...ways[way], ...before, namespace: namespace('test', anew) });
      expect(summaryOf(settle(world).decision)).toBe('wait NotGranted');
    });

    test('nothing is asked of those who have the name of the snapshot’s now', () => {
      const snapshot = volumeSnapshot({ metadata: { creationTimestamp: '2026-03-01T11:45:00Z' } });
      const world = agreed({ ...ways[way], sourceNamespace: namespace('prod', anew), snapshot });
      expect(summaryOf(settle(world).decision)).toBe('wait SourceNamespaceReplaced');
    });
  },
);
