import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import type { Mutant } from '../capability.ts';
import type { UserAction } from './user-actions.ts';

export type TransferMutant = Mutant<TransferWorld, UserAction>;
