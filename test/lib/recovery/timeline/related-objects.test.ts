import { expect, test } from '@jest/globals';
import type { ClusterObject, Pod } from '../../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../../lib/kubernetes/resource.ts';
import { nameOf, resources } from '../../../../lib/kubernetes/resources.ts';
import { relatedTo } from '../../../../lib/recovery/timeline/related-objects.ts';
import { nameOfObject } from '../../../../lib/recovery/timeline/timeline-entry.ts';
import { approval, claim, pod, request } from '../../../support/builders.ts';
import {
  linkedClaim,
  referringClaim,
  snapshotContent,
  snapshotLink,
  volumeSnapshot,
} from '../../../support/builders-of-snapshots.ts';
import * as buckets from '../../capabilities/buckets/bucket-stages.ts';
import * as copies from '../../capabilities/data-sources/populate-stages.ts';
import * as offers from '../../capabilities/transfers/offer-stages.ts';
import * as transfers from '../../capabilities/transfers/stages.ts';

const copy = 'longshore-system/populate-uid-claim';

const rows: readonly [string, Resource, ClusterObject, string[]][] = [
  [
    'a request: its approval, its claims and its volume',
    resources.transferRequest,
    request({ status: { volumeName: 'volume-1' } }),
    [
      'StorageTransferApproval prod/allow',
      'PersistentVolumeClaim prod/data',
      'PersistentVolume volume-1',
      'PersistentVolumeClaim stage/copy',
    ],
  ],
  [
    'a request by a grant, without an approval',
    resources.transferRequest,
    request({ spec: { approvalName: '' } }),
    ['PersistentVolumeClaim prod/data', 'PersistentVolumeClaim stage/copy'],
  ],
  [
    'an approval: its request and its claim',
    resources.transferApproval,
    approval(),
    ['StorageTransferRequest stage/move', 'PersistentVolumeClaim prod/data'],
  ],
  [
    'a fenced claim: its volume, its transfer and where it goes',
    resources.claim,
    transfers.fenced(),
    ['PersistentVolume volume-1', 'StorageTransferRequest stage/move', 'PersistentVolumeClaim stage/copy'],
  ],
  [
    'a claim that was transferred: whence',
    resources.claim,
    transfers.standing(),
    ['PersistentVolume volume-1', 'StorageTransferRequest stage/move', 'PersistentVolumeClaim prod/data'],
  ],
  [
    'a volume with a record: all of its transfer',
    resources.volume,
    transfers.recorded(),
    [
      'PersistentVolumeClaim prod/data',
      'StorageTransferRequest stage/move',
      'StorageTransferApproval prod/allow',
      'PersistentVolumeClaim stage/copy',
    ],
  ],
  [
    'a volume that is rolled back: its transfer',
    resources.volume,
    transfers.undoing(),
    ['PersistentVolumeClaim prod/data', 'StorageTransferRequest stage/move'],
  ],
  [
    'a claim on offer: to whom',
    resources.claim,
    offers.offered(),
    ['PersistentVolume volume-1', 'PersistentVolumeClaim stage/copy'],
  ],
  ['a claim that accepts: from whom', resources.claim, offers.accepting(), ['PersistentVolumeClaim prod/data']],
  [
    'a volume on offer: both claims',
    resources.volume,
    offers.recorded(),
    ['PersistentVolumeClaim prod/data', 'PersistentVolumeClaim stage/copy'],
  ],
  [
    'a claim by a link: the link and the copies',
    resources.claim,
    linkedClaim(),
    [
      'VolumeSnapshotLink test/yesterday',
      `PersistentVolumeClaim ${copy}`,
      `VolumeSnapshot ${copy}`,
      'VolumeSnapshotContent populate-uid-claim',
    ],
  ],
  [
    'a claim by a reference: the snapshot and the copies',
    resources.claim,
    referringClaim(),
    [
      'VolumeSnapshot prod/backup',
      `PersistentVolumeClaim ${copy}`,
      `VolumeSnapshot ${copy}`,
      'VolumeSnapshotContent populate-uid-claim',
    ],
  ],
  [
    'a restored claim: its snapshot',
    resources.claim,
    claim({ spec: { dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 'backup' } } }),
    ['PersistentVolume volume-1', 'VolumeSnapshot prod/backup'],
  ],
  [
    'a cloned claim: what it is a clone of',
    resources.claim,
    claim({ spec: { dataSource: { kind: 'PersistentVolumeClaim', name: 'other' } } }),
    ['PersistentVolume volume-1', 'PersistentVolumeClaim prod/other'],
  ],
  [
    'a copy of a content: for whom, and of what',
    resources.snapshotContent,
    copies.contentCopy(),
    [`VolumeSnapshot ${copy}`, 'PersistentVolumeClaim test/copy', 'VolumeSnapshot prod/backup'],
  ],
  [
    'a snapshot: its claim and its content',
    resources.snapshot,
    volumeSnapshot(),
    ['PersistentVolumeClaim prod/data', 'VolumeSnapshotContent content-1'],
  ],
  ['a content: its snapshot', resources.snapshotContent, snapshotContent(), ['VolumeSnapshot prod/backup']],
  ['a link: the snapshot', resources.snapshotLink, snapshotLink(), ['VolumeSnapshot prod/backup']],
  ['a pod: its claims', resources.pod, pod() as Pod, ['PersistentVolumeClaim prod/data']],
  [
    'a Bucket: its content, its Secret and its class',
    resources.bucket,
    buckets.bucket(),
    [`BucketContent ${buckets.contentName}`, 'Secret prod/photos-access', 'BucketClass fast'],
  ],
  [
    'a content of a bucket: its Bucket, its Secret, its class and its driver',
    resources.bucketContent,
    buckets.ready(),
    [
      'Bucket prod/photos',
      `Secret longshore-system/${buckets.sourceName}`,
      'BucketClass fast',
      'COSIRegistration s3.example.com',
    ],
  ],
  ['a class: its driver', resources.bucketClass, buckets.bucketClass(), ['COSIRegistration s3.example.com']],
  ['a Secret: its owner', resources.secret, buckets.target(), ['Bucket prod/photos']],
  ['what stands alone: nothing', resources.registration, buckets.registration(), []],
];

test.each(rows)('with %s', (_, resource, object, expected) => {
  const { namespace, name } = object.metadata;
  const related = relatedTo(nameOf(resource, namespace, name), object).map(nameOfObject);
  expect(related).toEqual(expected);
});

test('what users wrote that can be no name belongs with nothing', () => {
  const object = claim({
    metadata: { annotations: { transferRequest: '../../secrets/x' } },
    spec: { volumeName: 'a/b' },
  });
  expect(relatedTo(nameOf(resources.claim, 'prod', 'data'), object)).toEqual([]);
});
