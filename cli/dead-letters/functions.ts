import { bindBucket } from '../../functions/bind-bucket/step.ts';
import { checkSource } from '../../functions/check-source/step.ts';
import { copySecret } from '../../functions/copy-secret/step.ts';
import { matchApproval } from '../../functions/match-approval/step.ts';
import { matchClaim } from '../../functions/match-claim/step.ts';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { populateClaim } from '../../functions/populate-claim/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import { requestBucket } from '../../functions/request-bucket/step.ts';
import { resources } from '../../lib/cluster/resources.ts';
import type { Step, World } from '../../lib/reconcile/step.ts';
import type { KnownFunctions } from '../../lib/recovery/dead-letters/functions.ts';

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

/** Every function that has a queue. A step reads by the rights of whoever asks, and nothing is written. */
export const functions: KnownFunctions = {
  ...Object.fromEntries(steps.map((step) => [step.name, { step }])),
  // A registration that is not there may be what there is to make; a content that is gone has been let go by us.
  'register-driver': { made: { name: 'register-driver', resource: resources.registration }, absentMeans: 'nothing' },
  'provision-bucket': { made: { name: 'provision-bucket', resource: resources.bucketContent }, absentMeans: 'gone' },
  'request-bucket': { stepFor: (request) => requestBucket(request) },
};
