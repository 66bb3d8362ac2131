import { matchApproval } from '../../functions/match-approval/step.ts';
import { matchClaim } from '../../functions/match-claim/step.ts';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** By themselves, as a process that is killed again and again loads nothing that it does not need. */
export const transferSteps: readonly Step<TransferWorld>[] = [matchTransfer, matchApproval, matchClaim, rebindVolume];
