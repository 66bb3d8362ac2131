import type { Selection } from '../../json/selection.ts';
import { confirmationAnnotation } from '../../kubernetes/namespace-consent.ts';
import type { Resource } from '../../kubernetes/resource.ts';
import { resources } from '../../kubernetes/resources.ts';
import { formerAnnotation } from '../../kubernetes/storage-class.ts';
import { selectedNode } from './copies.ts';
import { claimAnnotation } from './names.ts';

/** The fields that routing reads, beside the metadata, of the kinds with many objects in a cluster. */
export const reads: ReadonlyMap<Resource, Selection> = new Map<Resource, Selection>([
  [
    resources.claim,
    {
      metadata: {
        annotations: {
          [claimAnnotation]: true,
          [selectedNode]: true,
          [confirmationAnnotation]: true,
          [formerAnnotation]: true,
        },
        // Shows the references that the API server has dropped.
        managedFields: { fieldsV1: { 'f:spec': { 'f:dataSource': true, 'f:dataSourceRef': { 'f:namespace': true } } } },
      },
      spec: { storageClassName: true, dataSource: true, dataSourceRef: true },
      status: { phase: true, conditions: { type: true, status: true, reason: true } },
    },
  ],
  [resources.volume, { spec: { claimRef: { namespace: true, name: true, uid: true } }, status: { phase: true } }],
  [
    resources.snapshot,
    {
      status: {
        boundVolumeSnapshotContentName: true,
        readyToUse: true,
        restoreSize: true,
        error: { message: true },
      },
    },
  ],
  [resources.snapshotContent, {}],
]);
