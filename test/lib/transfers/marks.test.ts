import { expect, test } from '@jest/globals';
import {
  dropFence,
  fenceOf,
  identityOf,
  markUndoing,
  otherFinalizers,
  raiseFence,
  recordOf,
  releaseDeleted,
  removeRecord,
  transferOf,
  type VolumeRecord,
  writeRecord,
} from '../../../lib/transfers/marks.ts';
import { mergePatch } from '../../simulation/merge-patch.ts';
import { claim, protection, request, volume } from '../../support/builders.ts';

const transfer = identityOf(request());
const record: VolumeRecord = {
  transfer,
  source: { namespace: 'prod', name: 'data', uid: 'uid-source' },
  target: { namespace: 'stage', name: 'copy' },
  approval: 'allow',
  originalPolicy: 'Delete',
};
const patched = <T>(object: T, ...patches: object[]) =>
  patches.reduce<T>((before, patch) => mergePatch(before, patch) as T, object);
const user = { note: 'mine' };
const plain = claim({ metadata: { annotations: user, finalizers: [protection, 'example.com/backup'] } });
const fenced = patched(plain, raiseFence(plain, transfer));

test('the fence that is raised is the fence that is read', () => {
  expect(fenceOf(plain)).toBeUndefined();
  expect(fenceOf(fenced)).toEqual({ transfer, undoing: false });
  expect(fenceOf(patched(fenced, markUndoing))).toEqual({ transfer, undoing: true });
});

test('raising the fence again changes nothing', () => {
  expect(patched(fenced, raiseFence(fenced, transfer))).toEqual(fenced);
});

test('a fence that is dropped leaves the claim as it was', () => {
  expect(patched(fenced, markUndoing, dropFence(fenced))).toEqual(plain);
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

test('the record that is written is the record that is read, and the volume is secured by it', () => {
  const secured = patched(volume(), writeRecord(record));
  expect(recordOf(secured)).toEqual(record);
  expect(secured.spec.persistentVolumeReclaimPolicy).toBe('Retain');
});

test('a record that is removed leaves the volume as it was', () => {
  const before = volume({ metadata: { annotations: user } });
  expect(patched(before, writeRecord(record), removeRecord(record))).toEqual(before);
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
