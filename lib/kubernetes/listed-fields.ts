import { type Read, reading } from '../json/parse.ts';
import { mergeSelections, type Selection } from '../json/selection.ts';
import { confirmationAnnotation } from './namespace-consent.ts';
import type { Resource } from './resource.ts';
import { resources } from './resources.ts';

/** managedFields are up to half of an object, and are never read from listed objects. */
const allButManagers: Selection = { '*': true, metadata: { '*': true, managedFields: false } };
const named: Selection = {
  apiVersion: true,
  kind: true,
  metadata: {
    name: true,
    namespace: true,
    uid: true,
    resourceVersion: true,
    creationTimestamp: true,
    deletionTimestamp: true,
  },
};

/**
 * The fields that are kept of listed objects. Anyone who may write into a namespace can create objects there as large
 * as they like, and of such objects steps read only these.
 */
const fields = new Map<Resource, Selection>([
  [
    resources.pod,
    {
      ...named,
      spec: { nodeName: true, volumes: { name: true, persistentVolumeClaim: { claimName: true }, ephemeral: {} } },
      status: { phase: true },
    },
  ],
  [
    resources.referenceGrant,
    mergeSelections(named, {
      // The namespaces for which it was confirmed: see `namespace-consent.ts`.
      metadata: { annotations: { [confirmationAnnotation]: true } },
      spec: { from: true, to: true },
    }),
  ],
  [resources.volumePopulator, { ...named, sourceKind: true }],
  [resources.bucketContent, { ...named, spec: true, status: { '*': true, conditions: false } }],
  [resources.bucketClass, { '*': true, ...named }],
]);

export function listedFieldsOf(resource: Resource): Selection {
  return fields.get(resource) ?? allButManagers;
}

const readings = new Map<Selection, Read>();

/** Reads the fields of a listed object that are kept. */
export function readingListed(resource: Resource): Read {
  const selection = listedFieldsOf(resource);
  const read = readings.get(selection) ?? reading(selection);
  readings.set(selection, read);
  return read;
}
