import type { Step } from '../lib/reconcile/step.ts';
import type { TransferWorld } from '../lib/transfers/world.ts';
import { matchApproval } from './match-approval/step.ts';
import { matchClaim } from './match-claim/step.ts';
import { matchTransfer } from './match-transfer/step.ts';
import { rebindVolume } from './rebind-volume/step.ts';

/** Every step that a change can lead to, for what runs them all in one process. */
export const steps: readonly Step<TransferWorld>[] = [matchTransfer, matchApproval, matchClaim, rebindVolume];
