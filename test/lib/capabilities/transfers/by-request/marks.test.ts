import { expect, test } from '@jest/globals';
import {
  addFence,
  fencedFor,
  fenceOf,
  isFenced,
  isFencedBy,
  markTarget,
  otherFinalizers,
  recordOrigin,
  releaseDeleted,
  removeFence,
  transferOf,
  transferredBy,
  transferredFrom,
} from '../../../../../lib/capabilities/transfers/by-request/claim-marks.ts';
import {
  clearUndoing,
  markDone,
  markUndoing,
  recordOf,
  removeRecord,
  undoingOf,
  undoneTarget,
  type VolumeRecord,
  writeRecord,
} from '../../../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import { identityOf } from '../../../../../lib/kubernetes/places.ts';
import { mergePatch } from '../../../../simulation/merge-patch.ts';
import { claim, protection, request, volume } from '../../../../support/builders.ts';

const transfer = identityOf(request());
const record: VolumeRecord = {
  transfer,
  source: { namespace: 'prod', name: 'data', uid: 'uid-source' },
  target: { namespace: 'stage', name: 'copy' },
  approval: 'allow',
  approvalUid: 'uid-approval',
  originalPolicy: 'Delete',
  isDone: false,
};
const patched = <T>(object: T, ...patches: object[]) =>
  patches.reduce<T>((before, patch) => mergePatch(before, patch) as T, object);
const user = { note: 'mine' };
const plain = claim({ metadata: { annotations: user, finalizers: [protection, 'example.com/backup'] } });
const fenced = patched(plain, addFence(plain, transfer, record.target));

test('the fence that is raised is the fence that is read', () => {
  expect([fenceOf(plain), fencedFor(plain)]).toEqual([undefined, undefined]);
  expect([fenceOf(fenced), fencedFor(fenced)]).toEqual([transfer, record.target]);
});

test('a fence is that of one transfer only, and a namesake is another', () => {
  const others = [{ uid: 'uid-anew' }, { name: 'other' }, { namespace: 'test' }].map((part) => ({
    ...transfer,
    ...part,
  }));
  expect([transfer, ...others].map((one) => isFencedBy(fenced, one))).toEqual([true, false, false, false]);
  expect(isFencedBy(undefined, transfer)).toBe(false);
});

test('raising the fence again changes nothing', () => {
  expect(patched(fenced, addFence(fenced, transfer, record.target))).toEqual(fenced);
});

test('a fence that is dropped leaves the claim as it was', () => {
  expect(patched(fenced, removeFence(fenced))).toEqual(plain);
});

test('a deleted claim that is let go still tells of its transfer, but has no fence', () => {
  const released = patched(fenced, releaseDeleted(fenced));
  expect([fenceOf(released), transferOf(released)]).toEqual([undefined, transfer]);
  expect(otherFinalizers(released)).toEqual(released.metadata.finalizers);
});

test('half a fence is none: a finalizer without its transfer, or the other way round', () => {
  expect(fenceOf(claim({ metadata: { finalizers: fenced.metadata.finalizers ?? [] } }))).toBeUndefined();
  expect(fenceOf(claim({ metadata: { annotations: fenced.metadata.annotations ?? {} } }))).toBeUndefined();
});

test('our finalizer alone shows that there was a fence, the annotation alone does not', () => {
  const bare = claim({ metadata: { finalizers: fenced.metadata.finalizers ?? [] } });
  const named = claim({ metadata: { annotations: fenced.metadata.annotations ?? {} } });
  expect([fenced, bare, named, undefined].map(isFenced)).toEqual([true, true, false, false]);
  expect(patched(bare, removeFence(bare)).metadata.finalizers).toEqual([protection, 'example.com/backup']);
});

test('the record that is written is the record that is read, and the volume is secured by it', () => {
  const secured = patched(volume(), writeRecord(record));
  expect(recordOf(secured)).toEqual(record);
  expect(secured.spec.persistentVolumeReclaimPolicy).toBe('Retain');
});

test('a record that is done gives the volume its policy back and stands until it is removed', () => {
  const done = patched(volume(), writeRecord(record), markDone(record));
  expect(recordOf(done)).toEqual({ ...record, isDone: true });
  expect(done.spec).toEqual(volume().spec);
});

test('a record that is done and removed leaves the volume as it was', () => {
  const before = volume({ metadata: { annotations: user } });
  expect(patched(before, writeRecord(record), markDone(record), removeRecord)).toEqual(before);
});

test('the removal of the record leaves the policy alone, which is the own one by then', () => {
  expect(Object.keys(removeRecord)).toEqual(['metadata']);
});

test('the mark of a roll-back is read from the volume, and goes without a trace', () => {
  const before = volume({ metadata: { annotations: user } });
  const marked = patched(before, markUndoing(transfer, record.target));
  expect([undoingOf(before), undoingOf(marked), undoingOf(undefined)]).toEqual([undefined, transfer, undefined]);
  expect([undoneTarget(before), undoneTarget(marked)]).toEqual([undefined, record.target]);
  expect(undoneTarget(patched(before, markUndoing(transfer, undefined)))).toBeUndefined();
  expect([recordOf(marked), patched(marked, clearUndoing)]).toEqual([undefined, before]);
});

test('a target tells its transfer when it is made, and its origin when it stands for itself', () => {
  const made = claim({ metadata: markTarget(transfer) });
  expect([transferredBy(made), transferredFrom(made)]).toEqual([transfer, undefined]);
  const standing = patched(made, recordOrigin(made, transfer, record.source));
  expect([transferredBy(standing), transferredFrom(standing)]).toEqual([transfer, { namespace: 'prod', name: 'data' }]);
  expect(made.metadata.ownerReferences).toEqual([expect.objectContaining({ name: 'move', uid: 'uid-request' })]);
  expect(standing.metadata.ownerReferences).toBeUndefined();
});

test('a record with a part missing is none', () => {
  const annotations = patched(volume(), writeRecord(record)).metadata.annotations ?? {};
  for (const missing of Object.keys(annotations).filter((name) => !name.endsWith('-approval'))) {
    const { [missing]: _, ...rest } = annotations;
    expect([missing, recordOf(volume({ metadata: { annotations: rest } }))]).toEqual([missing, undefined]);
  }
});

test.each(['', 'stage', 'stage/move', 'stage/move/uid/more', '/move/uid', 'stage//uid'])(
  '"%s" names no transfer',
  (text) => {
    expect(transferOf(claim({ metadata: { annotations: { 'longshore.dev/transfer': text } } }))).toBeUndefined();
  },
);
