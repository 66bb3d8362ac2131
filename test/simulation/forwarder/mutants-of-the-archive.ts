import type { SegmentStore } from '../../../lib/archive/archive.ts';
import type { ForwarderMutant } from './mutant.ts';

const storing = (change: (store: SegmentStore) => SegmentStore): Pick<ForwarderMutant, 'surround'> => ({
  surround: (options) => ({ ...options, store: options.store && change(options.store) }),
});

/** How the archive is written, by one that does it wrongly. */
export const archiveMutants: readonly ForwarderMutant[] = [
  {
    name: 'archive-not-waited-for',
    ...storing((store) => ({
      put: async (name, bytes) => {
        void store.put(name, bytes).catch(() => {});
      },
    })),
  },
  {
    name: 'failed-put-forgotten',
    needs: ['failed puts'],
    ...storing((store) => ({ put: (name, bytes) => store.put(name, bytes).catch(() => {}) })),
  },
];
