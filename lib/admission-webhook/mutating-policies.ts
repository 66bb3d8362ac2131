// Written by `npm run generate` from manifests/admission.

export const mutatingPolicies = {
  'hold-accepting-claims': {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'IfNeeded',
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['persistentvolumeclaims'],
        operations: ['CREATE'],
      },
    ],
    matchConditions: [
      {
        name: 'accepts-a-transfer',
        expression: "'transferAccept' in object.metadata.?annotations.orValue({})",
      },
      {
        name: 'has-not-been-transferred-already',
        expression: "object.metadata.?annotations[?'pvc.kubernetes.io/transfer-status'].orValue('') != 'complete'",
      },
      {
        name: 'has-neither-volume-nor-data-source',
        expression:
          "object.spec.?volumeName.orValue('') == '' && !has(object.spec.dataSource) && !has(object.spec.dataSourceRef)",
      },
    ],
  },
  'keep-references-to-snapshots': {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'IfNeeded',
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['persistentvolumeclaims'],
        operations: ['CREATE', 'UPDATE'],
      },
    ],
    matchConditions: [
      {
        name: 'refers-to-a-snapshot',
        expression:
          "has(object.spec.dataSourceRef) && (object.spec.dataSourceRef.?apiGroup.orValue('') + '/' + object.spec.dataSourceRef.kind) in [ 'snapshot.storage.k8s.io/VolumeSnapshot', 'snapshot.storage.k8s.io/VolumeSnapshotLink', 'longshore.dev/VolumeSnapshotReference']",
      },
    ],
  },
  'restored-claims-are-ordinary': {
    failurePolicy: 'Ignore',
    reinvocationPolicy: 'IfNeeded',
    rules: [
      {
        apiGroups: [''],
        apiVersions: ['v1'],
        resources: ['persistentvolumeclaims'],
        operations: ['CREATE'],
      },
    ],
    matchConditions: [
      {
        name: 'has-marks-of-a-transfer',
        expression:
          "object.metadata.?annotations[?'pvc.kubernetes.io/transfer-status'].orValue('') in ['complete', 'pending'] || 'longshore.dev/transfer-offer' in object.metadata.?finalizers.orValue([]) || ('longshore.dev/transferred-by' in object.metadata.?annotations.orValue({}) && !authorizer.group('longshore.dev').resource('marks').check('write').allowed())",
      },
    ],
  },
} as const;

export type PolicyName = keyof typeof mutatingPolicies;

export const policyNames = Object.keys(mutatingPolicies) as PolicyName[];
