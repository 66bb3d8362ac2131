import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import {
  linkedClaim,
  snapshotContent,
  storageClass,
  volumeSnapshot,
} from '../../../../../support/builders-of-snapshots.ts';
import { agreed, later, now, stages } from '../../populate-stages.ts';
import { conditionOf, settle, summaryOf } from '../../populate-table.ts';

const asking = (storage: string | undefined) =>
  linkedClaim({ spec: { resources: { requests: storage === undefined ? {} : { storage } } } });
const sized = (restoreSize: string | undefined, inBytes?: number) => ({
  snapshot: volumeSnapshot({ status: { restoreSize: restoreSize as string } }),
  content: snapshotContent({
    status: { snapshotHandle: 'handle-1', ...(inBytes === undefined ? {} : { restoreSize: inBytes }) },
  }),
});
const reasonOf = (...[claim, change]: [ReturnType<typeof asking>, object]) =>
  summaryOf(settle(agreed({ claim, ...change })).decision);

describe('a claim is large enough', () => {
  test.each<[string, string | undefined, string | undefined, number | undefined]>([
    ['when it asks for as much', '1Gi', '1Gi', 2 ** 30],
    ['in other words', '1073741824', '1Gi', 2 ** 30],
    ['in other words the other way round', '1Gi', '1073741824', undefined],
    ['in decimal words', '1073742k', '1Gi', undefined],
    ['when it asks for more', '1.5Gi', '1Gi', 2 ** 30],
    ['when the snapshot tells no size', '1Mi', undefined, undefined],
    ['when the snapshot tells none but 0', '1Mi', '0', 0],
    ['when nobody knows what the size of the snapshot means', '1Mi', 'large', undefined],
  ])('%s', (_, storage, restoreSize, inBytes) => {
    expect(reasonOf(asking(storage), sized(restoreSize, inBytes))).toBe('wait CopyNotReady');
  });

  test.each<[string, string | undefined, string | undefined, number | undefined]>([
    ['when it asks for less', '1Gi', '1073741825', undefined],
    ['when a G is no Gi', '1G', '1Gi', undefined],
    ['when only the content tells', '1Gi', undefined, 2 ** 31],
    ['when the content tells more', '1Gi', '1Gi', 2 ** 31],
    ['when the snapshot tells more', '1Gi', '2Gi', 2 ** 30],
    ['when the snapshot tells 0 and the content tells more', '1Gi', '0', 2 ** 31],
    ['when it asks for nothing', undefined, '1Gi', undefined],
  ])('but not %s', (_, storage, restoreSize, inBytes) => {
    expect(reasonOf(asking(storage), sized(restoreSize, inBytes))).toBe('reject ClaimTooSmall');
  });

  test.each<[string | undefined, number]>([
    [undefined, 2 ** 31],
    ['0', 2 ** 31],
    ['1Gi', 2 ** 31],
  ])('and otherwise it is told what would do: %s and %d', (restoreSize, inBytes) => {
    const { world } = settle(agreed({ claim: asking('1Gi'), ...sized(restoreSize, inBytes) }));
    expect(conditionOf(world.claim)?.message).toMatch(/needs (2147483648|2Gi):/);
  });
});

describe('the mode of a volume', () => {
  const allow = (value: string) => ({ 'snapshot.storage.kubernetes.io/allow-volume-mode-change': value });
  const mode = (claimed: string | undefined, taken: string | undefined, annotations = {}) => {
    const { sourceVolumeMode: _, ...spec } = snapshotContent().spec;
    const content = {
      ...snapshotContent({ metadata: { annotations } }),
      spec: { ...spec, ...(taken ? { sourceVolumeMode: taken } : {}) },
    };
    return reasonOf(linkedClaim({ spec: { volumeMode: claimed as string } }), { content });
  };

  test.each([
    ['is the same', 'Block', 'Block'],
    ['is left open, which means Filesystem', undefined, 'Filesystem'],
    ['was not kept', 'Block', undefined],
  ])('is right where it %s', (_, claimed, taken) => {
    expect(mode(claimed, taken)).toBe('wait CopyNotReady');
  });

  test.each([
    ['is another one', 'Block', 'Filesystem'],
    ['is another one the other way round', 'Filesystem', 'Block'],
    ['is left open, which means Filesystem', undefined, 'Block'],
  ])('is wrong where it %s', (_, claimed, taken) => {
    expect(mode(claimed, taken)).toBe('reject OtherVolumeMode');
    expect(mode(claimed, taken, allow('false'))).toBe('reject OtherVolumeMode');
    expect(mode(claimed, taken, allow(''))).toBe('reject OtherVolumeMode');
    expect(mode(claimed, taken, allow('true'))).toBe('wait CopyNotReady');
  });
});

describe('the class', () => {
  test('that is of the driver of the snapshot does, whatever it is called', () => {
    const claim = linkedClaim({ spec: { storageClassName: 'slow' } });
    const slow = storageClass({ metadata: { name: 'slow' } });
    expect(reasonOf(claim, { storageClass: slow })).toBe('wait CopyNotReady');
  });

  test('that a default fills in later is taken', () => {
    const open = linkedClaim({ spec: { storageClassName: undefined as never } });
    const { world } = settle(agreed({ claim: open, storageClass: undefined }));
    const filled = { ...world.claim, spec: { ...world.claim?.spec, storageClassName: 'fast' } } as typeof open;
    expect(settle(agreed({ claim: filled })).writes[0]).toBe('patch claim');
  });

  test('that was looked for a long time ago is not asked for again while the provisioner is at work', () => {
    const world = { ...stages.primeMade, storageClass: undefined };
    expect(summaryOf(decide(world, later(1)))).toBe('wait Populating');
    expect(summaryOf(decide(world, now))).toBe('wait Populating');
  });
});
