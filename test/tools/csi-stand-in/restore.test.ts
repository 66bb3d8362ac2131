import { describe, expect, test } from '@jest/globals';
import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { annotations } from '../../../tools/csi-stand-in/names.ts';
import { Case, driverName } from './case.ts';

const other = 'other.csi.longshore.dev';
const cloning = 'provisioner.storage.kubernetes.io/cloning-protection';

/** Why a claim was not provisioned. */
function refusal(of: Case, claim: Claim): string {
  expect(of.now(claim).status?.phase).toBe('Pending');
  const [warning = ''] = of.warningsAbout(claim);
  return warning;
}

describe('restoring from a snapshot', () => {
  test('gives a volume with its data, which the source no longer changes', () => {
    const of = new Case();
    const source = of.claimWith('old');
    const snapshot = of.snapshot(source);
    of.csi.diskOf(driverName).write(String(of.volumeOf(source).spec.csi?.volumeHandle), 'new');
    expect(of.textIn(of.restore(snapshot, { storage: '2Gi' }))).toBe('old');
  });

  test('is refused when the request is smaller than the snapshot', () => {
    const of = new Case();
    const snapshot = of.snapshot(of.claimWith('data', { storage: '2Gi' }));
    expect(refusal(of, of.restore(snapshot, { storage: '1Gi' }))).toContain('less than 2Gi');
  });

  test('is refused for another driver', () => {
    const of = new Case({}, { name: other });
    const snapshot = of.snapshot(of.claimWith('data'));
    expect(refusal(of, of.restore(snapshot, { className: other }))).toContain('not bound for this driver');
  });

  test('is refused before the snapshot is ready, and done then', () => {
    const of = new Case();
    of.csi.driver(driverName).uploading = true;
    const snapshot = of.snapshot(of.claimWith('data'));
    const claim = of.restore(snapshot);
    expect(refusal(of, claim)).toContain('not ready');
    of.csi.driver(driverName).uploading = false;
    of.settle();
    expect(of.textIn(claim)).toBe('data');
  });

  test.each([
    [undefined, true],
    ['false', true],
    ['true', false],
  ])('to another volume mode goes by the annotation, here %s', (allowed, isRefused) => {
    const of = new Case();
    const snapshot = of.snapshot(of.claimWith('data', { volumeMode: 'Filesystem' }));
    if (allowed) {
      of.change(of.contentOf(snapshot), { metadata: { annotations: { [annotations.modeMayChange]: allowed } } });
    }
    const claim = of.restore(snapshot, { volumeMode: 'Block' });
    if (isRefused) expect(refusal(of, claim)).toContain('volume mode');
    else expect(of.now(claim).status?.phase).toBe('Bound');
  });

  test('is refused from a content that points elsewhere', () => {
    const of = new Case();
    const snapshot = of.snapshot(of.claimWith('data'));
    of.change(of.contentOf(snapshot), { spec: { volumeSnapshotRef: { namespace: 'there' } } });
    expect(refusal(of, of.restore(snapshot))).toContain('not bound');
  });

  test('holds the deletion of the snapshot, and does not begin once that is deleted', () => {
    const of = new Case();
    const snapshot = of.snapshot(of.claimWith('data'));
    of.csi.driver(driverName).hanging = true;
    const claim = of.restore(snapshot);
    of.delete(snapshot);
    of.settle();
    expect(of.warningsAbout(snapshot)).toEqual([expect.stringContaining('SnapshotDeletePending')]);
    of.csi.driver(driverName).hanging = false;
    of.settle();
    expect(refusal(of, claim)).toContain('being deleted');
    of.delete(claim);
    of.settle();
    expect(of.find(snapshot)).toBeUndefined();
  });

  test('gives an empty volume where the provisioner knows no sources', () => {
    const of = new Case({ knowsSources: false });
    expect(of.textIn(of.restore(of.snapshot(of.claimWith('data'))))).toBe('');
  });

  test('of an unknown kind is left to others', () => {
    const of = new Case();
    const claim = of.restore({ apiGroup: 'longshore.dev', kind: 'Unknown', name: 'any' });
    const notes = of.csi.said.filter(({ about }) => about.metadata.uid === claim.metadata.uid);
    expect(claim.status?.phase).toBe('Pending');
    expect(of.warningsAbout(claim)).toEqual([]);
    expect(notes.map(({ note }) => note)).toContainEqual(expect.stringContaining('external populator'));
  });
});

describe('across namespaces', () => {
  const reference = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'taken', namespace: 'here' };
  const grant = (namespace: string) => ({
    apiVersion: 'gateway.networking.k8s.io/v1',
    kind: 'ReferenceGrant',
    metadata: { namespace: 'here', name: 'allow' },
    spec: {
      from: [{ group: '', kind: 'PersistentVolumeClaim', namespace }],
      to: [{ group: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot' }],
    },
  });

  test('a provisioner without the gate refuses', () => {
    const of = new Case();
    of.snapshot(of.claimWith('data'));
    of.make(grant('there'));
    expect(refusal(of, of.restore(reference, { namespace: 'there' }))).toContain('the gate for that is off');
  });

  test('a provisioner with the gate asks for a grant', () => {
    const of = new Case({ crossesNamespaces: true });
    of.snapshot(of.claimWith('data'));
    const claim = of.restore(reference, { namespace: 'there' });
    expect(refusal(of, claim)).toContain('not granted');
    of.make(grant('there'));
    of.settle();
    expect(of.textIn(claim)).toBe('data');
  });
});

describe('cloning', () => {
  test('gives a volume with the data of the claim, which stays marked until it is deleted', () => {
    const of = new Case();
    const source = of.claimWith('data');
    expect(of.textIn(of.restore(source, { name: 'clone' }))).toBe('data');
    expect(of.now(source).metadata.finalizers).toContain(cloning);
    of.delete(source);
    of.settle();
    expect(of.find(source)).toBeUndefined();
  });

  test('holds the source while a clone is pending', () => {
    const of = new Case();
    const source = of.claimWith('data');
    of.csi.driver(driverName).hanging = true;
    const clone = of.restore(source, { name: 'clone' });
    of.delete(source);
    of.settle();
    expect(of.now(source).metadata.finalizers).toEqual([cloning]);
    of.delete(clone);
    of.settle();
    expect(of.find(source)).toBeUndefined();
  });

  test('is refused for a smaller request, and for the volume of another driver', () => {
    const of = new Case({}, { name: other });
    const source = of.claimWith('data', { storage: '2Gi' });
    expect(refusal(of, of.restore(source, { name: 'small' }))).toContain('smaller');
    const elsewhere = of.restore(source, { name: 'elsewhere', storage: '2Gi', className: other });
    expect(refusal(of, elsewhere)).toContain('of this driver');
  });
});
