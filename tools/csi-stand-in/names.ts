/** The finalizers that the real sidecars set on objects. */

export const finalizers = {
  /** On a volume, so that it is not removed before its data on the disk. */
  volume: 'external-provisioner.volume.kubernetes.io/finalizer',
  /** On a claim that is being cloned. */
  cloning: 'provisioner.storage.kubernetes.io/cloning-protection',
  /** On a claim while a snapshot of it is being taken. */
  snapshotted: 'snapshot.storage.kubernetes.io/pvc-as-source-protection',
  /** On every snapshot. */
  source: 'snapshot.storage.kubernetes.io/volumesnapshot-as-source-protection',
  /** On a snapshot whose content is deleted with it. */
  bound: 'snapshot.storage.kubernetes.io/volumesnapshot-bound-protection',
  content: 'snapshot.storage.kubernetes.io/volumesnapshotcontent-bound-protection',
} as const;

export const annotations = {
  provisionedBy: 'pv.kubernetes.io/provisioned-by',
  deletionSecretName: 'volume.kubernetes.io/provisioner-deletion-secret-name',
  deletionSecretNamespace: 'volume.kubernetes.io/provisioner-deletion-secret-namespace',
  /** The annotation in which the volume controller names the provisioner of a claim. */
  provisioner: 'volume.kubernetes.io/storage-provisioner',
  olderProvisioner: 'volume.beta.kubernetes.io/storage-provisioner',
  selectedNode: 'volume.kubernetes.io/selected-node',
  modeMayChange: 'snapshot.storage.kubernetes.io/allow-volume-mode-change',
  defaultClass: 'snapshot.storage.kubernetes.io/is-default-class',
  beingCreated: 'snapshot.storage.kubernetes.io/volumesnapshot-being-created',
  beingDeleted: 'snapshot.storage.kubernetes.io/volumesnapshot-being-deleted',
  secretName: 'snapshot.storage.kubernetes.io/deletion-secret-name',
  secretNamespace: 'snapshot.storage.kubernetes.io/deletion-secret-namespace',
} as const;

/** The reporters of Events. */
export const reporters = {
  provisioner: 'external-provisioner',
  controller: 'snapshot-controller',
  sidecar: 'csi-snapshotter',
} as const;
