import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import * as stage from '../../populate-stages.ts';
import { fold, settle, testTable, writeOf } from '../../populate-table.ts';

const { now, stages } = stage;
const kept = { persistentVolumeReclaimPolicy: 'Retain' as const };

describe('a volume that was let go, with the policy of its class, is handed to nobody', () => {
  /** As whoever is held up takes the prime claim to be, while somebody else has begun to take everything back. */
  const heldUp = (annotations: Record<string, string>) => ({
    ...stages.primeBound,
    volume: stage.volume(
      { persistentVolumeReclaimPolicy: 'Delete' },
      { annotations: { 'pv.kubernetes.io/provisioned-by': 'disk.example.com', ...annotations } },
    ),
  });

  testTable([
    {
      situation: 'though its prime claim seems to be there as before',
      world: heldUp({ 'longshore.dev/let-go': 'yes' }),
      says: 'False StartingOver',
      next: 'wait',
      event: 'Normal',
      before: ['delete prime', 'patch prime', 'delete snapshotCopy', 'delete contentCopy'],
      afterwards: ['patch claim'],
    },
    { situation: 'while one of a class that says Delete is', world: heldUp({}), answer: 'patch volume' },
  ]);

  test('and is marked by the very write that takes its policy off', () => {
    const world = {
      ...stages.primeBound,
      claim: stage.held({ metadata: stage.deleting }),
      prime: stage.primeGoing(),
      volume: stage.volume(kept),
    };
    const letGo = fold(world, writeOf(decide(world, now))).volume;
    expect(letGo?.spec.persistentVolumeReclaimPolicy).toBe('Delete');
    const { writes } = settle({ ...stages.primeBound, volume: letGo });
    expect(writes).not.toContain('patch volume');
  });
});
