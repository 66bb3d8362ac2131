import { describe, expect, test } from '@jest/globals';
import { emptyClaim, provisionedClass } from '../../../tools/csi-stand-in/objects.ts';
import { Case, driverName, partsOf } from './case.ts';

describe('provisioning', () => {
  test('makes a volume that is reserved for its claim, marked and protected as the real one does it', () => {
    const of = new Case();
    const claim = of.claimWith('data');
    const { metadata, spec } = of.volumeOf(claim);
    expect(claim.status?.phase).toBe('Bound');
    expect(metadata.name).toBe(`pvc-${claim.metadata.uid}`);
    expect(metadata.annotations).toMatchObject({ 'pv.kubernetes.io/provisioned-by': driverName });
    expect(metadata.finalizers).toEqual(['external-provisioner.volume.kubernetes.io/finalizer']);
    expect(spec.claimRef).toMatchObject({ namespace: 'here', name: 'data', uid: claim.metadata.uid });
    expect(spec.csi).toEqual({ driver: driverName, volumeHandle: `volume-${claim.metadata.uid}` });
    expect(spec.persistentVolumeReclaimPolicy).toBe('Delete');
  });

  test('does not protect a volume that is to be retained', () => {
    const of = new Case();
    of.make(provisionedClass({ name: 'retained', driver: driverName, policy: 'Retain' }));
    const claim = of.make(emptyClaim(partsOf('data', { className: 'retained' })));
    of.settle();
    const volume = of.volumeOf(claim);
    expect(volume.metadata.finalizers).toEqual([]);
    of.delete(claim);
    of.settle();
    expect(of.now(volume).status?.phase).toBe('Released');
    expect(of.csi.diskOf(driverName).handles().volumes).toHaveLength(1);
  });

  test('waits for a node where the class says so', () => {
    const of = new Case();
    of.make(provisionedClass({ name: 'late', driver: driverName, binding: 'WaitForFirstConsumer' }));
    const claim = of.make(emptyClaim(partsOf('data', { className: 'late' })));
    of.settle();
    expect(() => of.volumeOf(claim)).toThrow('has no volume');
    of.change(claim, { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'node' } } });
    of.settle();
    expect(of.now(claim).status?.phase).toBe('Bound');
  });

  test('leaves the classes of other drivers alone', () => {
    const of = new Case({}, { name: 'other.csi.longshore.dev' });
    const claim = of.claimWith('data', { className: 'other.csi.longshore.dev' });
    expect(of.volumeOf(claim).spec.csi).toMatchObject({ driver: 'other.csi.longshore.dev' });
    expect(of.csi.diskOf(driverName).handles().volumes).toEqual([]);
  });

  test('tells of a driver that fails, and goes on when it does no longer', () => {
    const of = new Case();
    of.csi.driver(driverName).failing = true;
    const claim = of.make(emptyClaim(partsOf('data', {})));
    of.settle();
    expect(of.warningsAbout(claim)).toEqual([expect.stringContaining('ProvisioningFailed')]);
    of.csi.driver(driverName).failing = false;
    of.settle();
    expect(of.now(claim).status?.phase).toBe('Bound');
  });

  test('says nothing of a driver that hangs', () => {
    const of = new Case();
    of.csi.driver(driverName).hanging = true;
    const claim = of.make(emptyClaim(partsOf('data', {})));
    of.settle();
    expect(of.warningsAbout(claim)).toEqual([]);
    expect(of.now(claim).status?.phase).toBe('Pending');
    of.csi.driver(driverName).hanging = false;
    of.settle();
    expect(of.now(claim).status?.phase).toBe('Bound');
  });

  test('deletes volume and data with the claim', () => {
    const of = new Case();
    const claim = of.claimWith('data');
    const volume = of.volumeOf(claim);
    of.delete(claim);
    of.settle();
    expect(of.find(volume)).toBeUndefined();
    expect(of.csi.diskOf(driverName).handles().volumes).toEqual([]);
  });
});

test('a provisioner that looks nodes up gives a claim back whose node is not there', () => {
  const of = new Case({ looksUpNodes: true });
  of.make(provisionedClass({ name: 'late', driver: driverName, binding: 'WaitForFirstConsumer' }));
  const claim = of.make(emptyClaim(partsOf('data', { className: 'late' })));
  of.change(claim, { metadata: { annotations: { 'volume.kubernetes.io/selected-node': 'absent' } } });
  of.settle();
  expect(of.now(claim).metadata.annotations).not.toHaveProperty(['volume.kubernetes.io/selected-node']);
  expect(of.warningsAbout(claim)).toEqual([expect.stringContaining('node absent')]);
});
