import { resources } from '../../../../kubernetes/resources.ts';
import { reject, retry, waitFor } from '../../../../reconcile/obstacle.ts';
import type { Decision } from '../../../../reconcile/step.ts';
import { create, patch, warn } from '../../../../reconcile/writes.ts';
import type { DriverInfo } from '../../drivers/driver.ts';
import { labelsFor } from '../../names.ts';
import type { Registration } from '../../objects.ts';
import type { RegisteringWorld } from './world.ts';

const part = { slot: 'registration', resource: resources.registration } as const;
/** The deployment that gave up registering the name. */
const refusedAnnotation = 'longshore.dev/refused';

/**
 * The first deployment to create the COSIRegistration of a driver's name has the name. The registration names its
 * deployment, which recognizes it after a restart; another deployment tries again, with growing delays, until its
 * message becomes a dead letter.
 */
export function decide({ driver, identity, registration, refused }: RegisteringWorld): Decision<RegisteringWorld> {
  if (!driver) return { do: 'done', reason: 'NotOurDriver' };
  if (refused) return retry('WriteRefused', `driver ${driver.name}: ${refused.message}`);
  if (!registration) return create(part, registrationOf(driver, identity));
  if (registration.spec.identity !== identity) return contend(driver, identity, registration);
  if (registration.metadata.deletionTimestamp) {
    return waitFor('Deleting', 'registered again when the present registration is gone');
  }
  return { do: 'done', reason: 'Registered' };
}

/** Reported where both deployments look: on the registration that they disagree about. */
export function decideFailed(
  { driver, identity, registration }: RegisteringWorld,
  failure: string,
): Decision<RegisteringWorld> {
  const done = reject('Failed', failure);
  const isStranger = registration !== undefined && registration.spec.identity !== identity;
  if (!driver || !isStranger || refusedBy(registration).includes(identity)) return done;
  const message =
    `deployment ${identity} stops trying to register driver ${driver.name}, which belongs to ${registration.spec.identity}: ` +
    'give one of the two drivers another name, or delete this COSIRegistration if its deployment is gone';
  const announce = [warn(registration, 'DriverNameTaken', message)];
  const annotations = { [refusedAnnotation]: [...refusedBy(registration), identity].join(' ') };
  return patch(part, registration, { metadata: { annotations } }, { announce });
}

/** A deployment that has given up continues once the registration is gone, and does not try again before. */
function contend({ name }: DriverInfo, identity: string, registration: Registration): Decision<RegisteringWorld> {
  const message = `driver ${name} is registered by another deployment, ${registration.spec.identity}`;
  return (refusedBy(registration).includes(identity) ? reject : retry)('DriverNameTaken', message);
}

function refusedBy({ metadata }: Registration): string[] {
  return metadata.annotations?.[refusedAnnotation]?.split(' ') ?? [];
}

function registrationOf({ name, protocols }: DriverInfo, identity: string): Registration {
  const { apiVersion, kind } = resources.registration;
  return {
    apiVersion,
    kind,
    metadata: { name, labels: labelsFor(name) },
    spec: { identity, supportedProtocols: [...protocols] },
  };
}
