import { matchApproval } from '../../lib/capabilities/transfers/steps/match-approval/step.ts';
import { matchClaim } from '../../lib/capabilities/transfers/steps/match-claim/step.ts';
import { matchTransfer } from '../../lib/capabilities/transfers/steps/match-transfer/step.ts';
import { rebindVolume } from '../../lib/capabilities/transfers/steps/rebind-volume/step.ts';
import type { TransferWorld } from '../../lib/capabilities/transfers/world.ts';
import type { Step } from '../../lib/reconcile/step.ts';

/** By themselves, as a process that is killed again and again loads nothing that it does not need. */
export const transferSteps: readonly Step<TransferWorld>[] = [matchTransfer, matchApproval, matchClaim, rebindVolume];
