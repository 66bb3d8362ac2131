import { nameTaken, provisioned, restricted, undriven } from './role-bucket-scenarios.ts';
import type { Permission } from './role-permissions.ts';
import type { Scenario } from './role-play.ts';
import { checked, neverProvisioned, populated } from './role-snapshot-scenarios.ts';
import {
  approvedAndExpired,
  heldByName,
  offered,
  offeredAndHeld,
  requested,
  targetLost,
  withdrawn,
  withdrawnFromVolume,
} from './role-transfer-scenarios.ts';

export const scenarios = {
  'a request comes before its approval': requested,
  'an approval comes before its request, and both expire': approvedAndExpired,
  'an approval is withdrawn while a pod uses the claim': withdrawn,
  'a target is deleted after the point of no return': targetLost,
  'the name of a target is taken while its deleted source waits': heldByName,
  'a claim is offered and accepted by annotation': offered,
  'a bucket is made, used and deleted': provisioned,
  'a bucket is wanted of a driver that nobody has': undriven,
  'a class gives what is there to one namespace': restricted,
  'a driver has a name that another deployment has': nameTaken,
  'a claim gets the data of a snapshot in another namespace': populated,
  'a claim that gets no volume is let go by force': neverProvisioned,
  'claims are restored, cloned, and ask for what nobody knows': checked,
} satisfies Record<string, Scenario>;

/** In which a function needs what no other names here. */
const usual: Record<string, Scenario> = {
  'bind-bucket': provisioned,
  'check-source': checked,
  'copy-secret': provisioned,
  'match-approval': approvedAndExpired,
  'match-claim': offered,
  'match-transfer': requested,
  'populate-claim': populated,
  'provision-bucket': provisioned,
  'rebind-volume': requested,
  'register-driver': provisioned,
};

export const particular: Record<string, Scenario> = {
  'bind-bucket needs get cosiregistrations': undriven,
  'bind-bucket needs get namespaces': restricted,
  'match-transfer needs delete storagetransferrequests': approvedAndExpired,
  'match-transfer needs patch storagetransferapprovals/status': withdrawn,
  'populate-claim needs list events': neverProvisioned,
  'populate-claim needs list persistentvolumes': neverProvisioned,
  'provision-bucket needs delete bucketcontents': undriven,
  'rebind-volume needs create persistentvolumeclaims': targetLost,
  'rebind-volume needs delete persistentvolumeclaims': withdrawnFromVolume,
  'rebind-volume needs get configmaps': offered,
  'rebind-volume needs get namespaces': offered,
  'rebind-volume needs list referencegrants': withdrawnFromVolume,
  'rebind-volume needs patch persistentvolumeclaims/status': offeredAndHeld,
  'register-driver needs create events': nameTaken,
  'register-driver needs patch cosiregistrations': nameTaken,
};

/** A permission that nobody has thought of fails in the usual scenario, which goes on to its end without it. */
export function scenarioFor({ function: functionName, name }: Permission): Scenario {
  const scenario = particular[`${functionName} needs ${name}`] ?? usual[functionName];
  if (!scenario) throw new Error(`${functionName} is in no scenario`);
  return scenario;
}
