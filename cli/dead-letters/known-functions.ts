import { bindBucket } from '../../lib/capabilities/buckets/steps/bind-bucket/step.ts';
import { copySecret } from '../../lib/capabilities/buckets/steps/copy-secret/step.ts';
import { requestBucket } from '../../lib/capabilities/buckets/steps/request-bucket/step.ts';
import { checkSource } from '../../lib/capabilities/data-sources/steps/check-source/step.ts';
import { populateClaim } from '../../lib/capabilities/data-sources/steps/populate-claim/step.ts';
import { matchApproval } from '../../lib/capabilities/transfers/steps/match-approval/step.ts';
import { matchClaim } from '../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { matchTransfer } from '../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import type { KnownFunctions } from '../../lib/recovery/dead-letters/known-functions.ts';

const steps: readonly Step<World>[] = [
  matchTransfer,
  matchApproval,
  matchClaim,
  rebindVolume,
  bindBucket,
  copySecret,
  populateClaim,
  checkSource,
];

/** Every function that has a queue. A step reads with the rights of the user, and writes nothing. */
export const functions: KnownFunctions = {
  ...Object.fromEntries(steps.map((step) => [step.name, { step }])),
  // A missing registration may be what has to be created; a missing content was released by Longshore.
  'register-driver': {
    deployedStep: { name: 'register-driver', resource: resources.registration },
    absentMeans: 'nothing',
  },
  'provision-bucket': {
    deployedStep: { name: 'provision-bucket', resource: resources.bucketContent },
    absentMeans: 'gone',
  },
  'request-bucket': { stepFor: (request) => requestBucket(request) },
};
