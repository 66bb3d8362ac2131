import { undoingOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import { seeing } from '../mutating.ts';
import type { TransferMutant } from './transfer-mutant.ts';

/** Of volumes that are kept for whoever had them. */
export const mutantsOfKept: TransferMutant[] = [
  {
    name: 'withdrawn-claim-let-go',
    step: seeing(asIfItsNamespaceWent),
    actions: ['withdraw request', 'hold source', 'delete source', 'withdraw approval'],
  },
];

/** As it was once: the claim goes, and its volume is left that no quota counts and nobody can take back. */
function asIfItsNamespaceWent(world: TransferWorld): TransferWorld {
  return undoingOf(world.volume) ? { ...world, sourceNamespace: undefined } : world;
}
