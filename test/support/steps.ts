import { matchApproval } from '../../functions/match-approval/step.ts';
import { matchClaim } from '../../functions/match-claim/step.ts';
import { matchTransfer } from '../../functions/match-transfer/step.ts';
import { rebindVolume } from '../../functions/rebind-volume/step.ts';
import type { Step } from '../../lib/reconcile/step.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** Every step that a change can lead to, for what runs them all in one process. */
export const steps: readonly Step<TransferWorld>[] = [matchTransfer, matchApproval, matchClaim, rebindVolume];
