import { undoingOf } from '../../../lib/capabilities/transfers/by-request/volume-marks.ts';
import type { TransferWorld } from '../../../lib/capabilities/transfers/world.ts';
import { seeing } from '../mutating.ts';
import type { TransferMutant } from './transfer-mutant.ts';

const fidgeting = ['fidget', 'withdraw approval', 'use source in pod'] as const;
const leaving = ['fidget', 'delete source namespace', 'accept with less'] as const;

/** Of volumes that are kept for whoever had them. */
export const mutantsOfKept: TransferMutant[] = [
  {
    name: 'withdrawn-claim-let-go',
    step: seeing(asIfItsNamespaceWent),
    actions: ['withdraw request', 'hold source', 'delete source', 'withdraw approval'],
  },
  { name: 'rollback-held-up', step: seeing(withoutContention), actions: fidgeting },
  { name: 'held-up-by-the-other-side', step: seeing(withoutContention), actions: leaving },
];

/** Whoever changes their own claim all the time keeps what comes after a write to it from being done. */
function withoutContention({ contended: _, ...world }: TransferWorld): TransferWorld {
  return world;
}

/** As it was once: the claim goes, and its volume is left that no quota counts and nobody can take back. */
function asIfItsNamespaceWent(world: TransferWorld): TransferWorld {
  return undoingOf(world.volume) ? { ...world, sourceNamespace: undefined } : world;
}
