import type { Claim, ClusterObject } from '../../../lib/kubernetes/objects.ts';
import { displayName, resources } from '../../../lib/kubernetes/resources.ts';
import { type Class, nodeResource } from '../kinds.ts';
import { annotations, finalizers, reporters } from '../names.ts';
import { annotated, create, held, holds, noted, onDisk, warned } from './actions.ts';
import { soughtBy } from './claim-source.ts';
import { type Found, fromClaim, fromSnapshot, requestOf } from './origin.ts';
import { type Driver, later, nothing, type Step, type World } from './rule.ts';

/** The external provisioner's rule for a claim. It ignores whether the claim is being deleted. */
export function provision(driver: Driver, world: World, claim: Claim): Step {
  const { name: provisioner } = driver.options;
  if (claim.spec.volumeName || provisionerOf(claim) !== provisioner) return nothing;
  const storageClass = world.get(resources.storageClass, undefined, claim.spec.storageClassName ?? '');
  if (!storageClass) return later;
  const node = claim.metadata.annotations?.[annotations.selectedNode];
  if (storageClass.volumeBindingMode === 'WaitForFirstConsumer' && !node) return nothing;
  if (world.get(resources.volume, undefined, volumeNameFor(claim))) return nothing;
  if (storageClass.provisioner !== provisioner) return nothing;
  if (driver.options.looksUpNodes && node && !world.get(nodeResource, undefined, node)) {
    const { actions } = refused(claim, storageClass, `node ${node} is not there`);
    return { actions: [...actions, annotated(claim, annotations.selectedNode, null)] };
  }
  const note = `The volume of claim ${displayName(claim.metadata)} is being provisioned`;
  const begun = noted(claim, reporters.provisioner, 'Provisioning', note);
  const sought = soughtBy(driver, world, claim);
  if (sought.type === 'other') {
    const left = `${sought.kind} is left to an external populator, which is to provision the volume`;
    return { actions: [begun, noted(claim, reporters.provisioner, 'Provisioning', left)] };
  }
  const made = make(driver, claim, storageClass, find(world, claim, storageClass, sought));
  return { ...made, actions: [begun, ...made.actions] };
}

type Sought = Exclude<ReturnType<typeof soughtBy>, { type: 'other' }>;

function find(world: World, claim: Claim, storageClass: Class, sought: Sought): Found | undefined {
  if (sought.type === 'refused') return { refused: sought.why };
  if ('selector' in claim.spec) return { refused: 'a selector is not supported' };
  if (sought.type === 'empty') return undefined;
  const from = sought.type === 'snapshot' ? fromSnapshot : fromClaim;
  return from(world, claim, storageClass, sought);
}

function make(driver: Driver, claim: Claim, storageClass: Class, found: Found | undefined): Step {
  if (found && 'refused' in found) return refused(claim, storageClass, found.refused);
  const { source, origin } = found ?? {};
  const isUnprotected = source && !holds(source, finalizers.cloning);
  const protect = isUnprotected ? [held(source, finalizers.cloning)] : [];
  // The source stays protected, even if the volume is not created in the end.
  const also = (step: Step): Step => ({ ...step, actions: [...protect, ...step.actions] });
  if (driver.hanging) return also(later);
  const fails = (why: string) => also(refused(claim, storageClass, `rpc error: ${why}`));
  if (driver.failing) return fails('code = Internal desc = the driver was told to fail');
  if (origin && 'snapshot' in origin && !driver.disk.hasSnapshot(origin.snapshot)) {
    return fails(`code = NotFound desc = snapshot ${origin.snapshot} is not on the disk`);
  }
  if (origin && 'volume' in origin && !driver.disk.hasVolume(origin.volume)) {
    return fails(`code = NotFound desc = volume ${origin.volume} is not on the disk`);
  }
  const { name } = driver.options;
  const handle = `volume-${claim.metadata.uid}`;
  const written = onDisk(name, (disk) => disk.createVolume(handle, requestOf(claim), origin));
  const done = noted(claim, reporters.provisioner, 'ProvisioningSucceeded', `Made volume ${volumeNameFor(claim)}`);
  return also({ actions: [written, create(volumeFor(claim, storageClass, handle)), done] });
}

function refused(claim: Claim, { metadata }: Class, why: string): Step {
  const note = `No volume of storage class "${metadata.name}" could be provisioned: ${why}`;
  return { actions: [warned(claim, reporters.provisioner, 'ProvisioningFailed', note)], again: true };
}

/** A volume is reserved for its claim from the beginning; the volume controller binds the two. */
function volumeFor(claim: Claim, storageClass: Class, handle: string): ClusterObject {
  const { namespace, name, uid, resourceVersion } = claim.metadata;
  const { apiVersion, kind } = claim;
  const marks = {
    [annotations.provisionedBy]: storageClass.provisioner,
    [annotations.deletionSecretName]: '',
    [annotations.deletionSecretNamespace]: '',
  };
  const volume = {
    apiVersion: resources.volume.apiVersion,
    kind: resources.volume.kind,
    // With another policy the finalizer is removed a moment later, as by the real one.
    metadata: { name: volumeNameFor(claim), annotations: marks, finalizers: [finalizers.volume] },
    spec: {
      capacity: { storage: claim.spec.resources?.requests?.storage ?? '0' },
      accessModes: claim.spec.accessModes ?? [],
      claimRef: { apiVersion, kind, namespace, name, uid, resourceVersion },
      csi: { driver: storageClass.provisioner, volumeHandle: handle },
      persistentVolumeReclaimPolicy: storageClass.reclaimPolicy ?? 'Delete',
      storageClassName: storageClass.metadata.name,
      ...(claim.spec.volumeAttributesClassName
        ? { volumeAttributesClassName: claim.spec.volumeAttributesClassName }
        : {}),
      ...(claim.spec.volumeMode ? { volumeMode: claim.spec.volumeMode } : {}),
      ...(storageClass.mountOptions ? { mountOptions: storageClass.mountOptions } : {}),
    },
  };
  return volume;
}

export function volumeNameFor({ metadata }: Claim): string {
  return `pvc-${metadata.uid}`;
}

function provisionerOf({ metadata }: Claim): string | undefined {
  return metadata.annotations?.[annotations.provisioner] ?? metadata.annotations?.[annotations.olderProvisioner];
}
