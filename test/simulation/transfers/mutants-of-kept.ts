import type { Volume } from '../../../lib/cluster/objects.ts';
import { samePlace } from '../../../lib/cluster/places.ts';
import { mean, offerOn } from '../../../lib/transfers/by-annotation/volume-marks.ts';
import { undoingOf } from '../../../lib/transfers/by-request/volume-marks.ts';
import type { TransferWorld } from '../../../lib/transfers/world.ts';
import { mergePatch } from '../merge-patch.ts';
import { seeing } from '../mutating.ts';
import type { TransferMutant } from './transfer-mutant.ts';

/** Of volumes that are kept for whoever had them. */
export const mutantsOfKept: TransferMutant[] = [
  {
    name: 'withdrawn-claim-let-go',
    step: seeing(asIfItsNamespaceWent),
    actions: ['withdraw request', 'hold source', 'delete source', 'withdraw approval'],
  },
  {
    name: 'restored-to-anybody',
    step: seeing(meanWhoeverIsThere),
    actions: ['make source namespace anew', 'take volume back'],
  },
];

/** As it was once: the claim goes, and its volume is left that no quota counts and nobody can take back. */
function asIfItsNamespaceWent(world: TransferWorld): TransferWorld {
  return undoingOf(world.volume) ? { ...world, sourceNamespace: undefined } : world;
}

/** The name of the claim is all that counts, whoever has the name of its namespace. */
function meanWhoeverIsThere(world: TransferWorld): TransferWorld {
  const { volume, targetNamespace } = world;
  const offer = offerOn(volume);
  if (!volume || !offer || !targetNamespace || !samePlace(offer.source, offer.destination)) return world;
  return { ...world, volume: mergePatch(volume, mean(targetNamespace)) as Volume };
}
