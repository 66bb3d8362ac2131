import { resources } from '../../../../kubernetes/resources.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { create } from '../../../../reconcile/writes.ts';
import type { Parameters } from '../../drivers/driver.ts';
import { greenfieldParameters } from '../../drivers/parameter-rules.ts';
import { namespacesAnnotation } from '../../namespaces.ts';
import type { BucketClass } from '../../objects.ts';
import { classNameFor } from '../../requests/request-names.ts';
import type { RequestedChange } from '../../requests/requested-change.ts';
import { marksOf, refuse } from './outcomes.ts';
import type { RequestWorld } from './read.ts';

type Adopting = RequestedChange & { action: 'adopt' };

const classPart = { slot: 'ownClass', resource: resources.bucketClass } as const;

/** The class that gives access to the bucket: the named one, or one that is created from it as a model. */
export function classFor(
  requested: Adopting,
  world: RequestWorld,
): { name: string } | { decision: Decision<RequestWorld> } {
  const { namedClass, ownClass } = world;
  const { bucket, bucketClass: name } = requested;
  if (!namedClass) return unfit(`there is no BucketClass ${name}: create it, and move this message back to its queue`);
  if (namedClass.bucketIdentifier === bucket) return { name };
  if (namedClass.bucketIdentifier) {
    return unfit(`BucketClass ${name} is for bucket ${namedClass.bucketIdentifier}, not for ${bucket}`);
  }
  if (namedClass.secretRef || !namedClass.provisioner) {
    return unfit(
      `BucketClass ${name} has no provisioner that could grant access to bucket ${bucket}: name another class`,
    );
  }
  if (!ownClass) return { decision: create(classPart, classAfter(namedClass, requested)) };
  const namespaces = ownClass.metadata.annotations?.[namespacesAnnotation];
  const isFor = ownClass.bucketIdentifier === bucket && (namespaces ?? requested.namespace) === requested.namespace;
  if (isFor) return { name: ownClass.metadata.name };
  const message = `BucketClass ${ownClass.metadata.name} already exists, but is not for bucket ${bucket} in namespace ${requested.namespace}: name another class`;
  return { decision: refuse('Conflict', message) };
}

/** The bucket existed before, and stays when the Bucket is deleted. */
function classAfter(model: BucketClass, { bucket, sender, namespace }: Adopting): BucketClass {
  const { apiVersion, kind } = resources.bucketClass;
  const { provisioner, accessMode, supportedProtocols, parameters } = model;
  return {
    apiVersion,
    kind,
    metadata: {
      name: classNameFor(model.metadata.name, bucket),
      // A bucket adopted for one namespace is not accessible to others.
      annotations: { ...marksOf(sender), [namespacesAnnotation]: namespace },
    },
    ...(provisioner ? { provisioner } : {}),
    ...(accessMode ? { accessMode } : {}),
    ...(supportedProtocols ? { supportedProtocols } : {}),
    ...(parameters ? { parameters: ofExisting(parameters) } : {}),
    bucketIdentifier: bucket,
    releasePolicy: 'Retain',
  };
}

/** Parameters for creating a bucket have no meaning for an existing one, and are refused. */
function ofExisting(parameters: Parameters): Parameters {
  return Object.fromEntries(Object.entries(parameters).filter(([name]) => !greenfieldParameters.includes(name)));
}

function unfit(message: string): { decision: Decision<RequestWorld> } {
  return { decision: refuse('ClassUnfit', message) };
}
