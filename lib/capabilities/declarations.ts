import type { Declaration } from '../reconcile/declaration.ts';
import { declaration as bindBucket } from './buckets/steps/bind-bucket/declaration.ts';
import { declaration as copySecret } from './buckets/steps/copy-secret/declaration.ts';
import { declaration as provisionBucket } from './buckets/steps/provision-bucket/declaration.ts';
import { declaration as registerDriver } from './buckets/steps/register-driver/declaration.ts';
import { declaration as requestBucket } from './buckets/steps/request-bucket/declaration.ts';
import { declaration as sweepBuckets } from './buckets/steps/sweep-buckets/declaration.ts';
import { declaration as checkSource } from './data-sources/steps/check-source/declaration.ts';
import { declaration as populateClaim } from './data-sources/steps/populate-claim/declaration.ts';
import type { CapabilityName } from './names.ts';
import { declaration as matchApproval } from './transfers/steps/match-approval/declaration.ts';
import { declaration as matchClaim } from './transfers/steps/match-claim/declaration.ts';
import { declaration as matchTransfer } from './transfers/steps/match-transfer/declaration.ts';
import { declaration as rebindVolume } from './transfers/steps/rebind-volume/declaration.ts';

/** The one list of steps, by the capability that a deployment has or leaves out. */
export const declared: Readonly<Record<CapabilityName, readonly Declaration[]>> = {
  transfers: [matchTransfer, matchApproval, matchClaim, rebindVolume],
  buckets: [registerDriver, bindBucket, provisionBucket, copySecret, requestBucket, sweepBuckets],
  'data-sources': [populateClaim, checkSource],
};
