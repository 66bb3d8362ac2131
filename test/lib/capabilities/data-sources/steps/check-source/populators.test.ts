import { describe } from '@jest/globals';
import { testTable } from './check-table.ts';
import * as stage from './stages.ts';

const { annotations, early, handedOver, late, populator, sources, volume } = stage;
const pending = stage.claim(sources.other, 'Pending');
const bound = stage.claim(sources.other, 'Bound');
const ours = [populator()];
const others = [populator('dumps.example.com', 'Image'), populator('example.com')];
const populated = { claim: bound, volume: volume(handedOver), populators: ours };
const noted = (note: string, more = {}) =>
  volume({ ...handedOver, annotations: { ...annotations.made, 'dumps.example.com/populated-from': note, ...more } });

describe('a claim without a volume, which asks for another kind of source,', () => {
  testTable([
    {
      situation: 'waits for the populator that is registered',
      world: { claim: pending, populators: [...others, ...ours] },
      says: 'False NotBound',
      saying: 'populator of Dump.dumps.example.com',
      next: 'wait',
    },
    {
      situation: 'waits for it wherever the source stands',
      world: { claim: stage.claim(sources.foreignDump, 'Pending'), populators: ours },
      says: 'False NotBound',
      next: 'wait',
    },
    {
      situation: 'waits for nobody when nobody is registered for it',
      world: { claim: pending, populators: others },
      says: 'False UnrecognizedDataSourceKind',
      saying: 'Dump.dumps.example.com',
      event: 'Warning',
      next: 'wait',
    },
    {
      situation: 'waits for nobody who goes',
      world: { claim: pending, populators: [populator(undefined, undefined, { deletionTimestamp: late })] },
      says: 'False UnrecognizedDataSourceKind',
      event: 'Warning',
      next: 'wait',
    },
    {
      situation: 'cannot know where nobody registers',
      world: { claim: pending, populators: [] },
      says: 'Unknown PopulatorsUnknown',
      next: 'wait',
    },
  ]);
});

describe('a volume that was handed over', () => {
  const done = { next: 'done', isAtRest: true } as const;
  testTable([
    {
      situation: 'while a populator is registered is populated',
      world: populated,
      says: 'True Populated',
      saying: 'Dump monday',
      event: 'Normal',
      ...done,
    },
    {
      situation: 'with a note of its populator is populated, whoever is registered',
      world: { ...populated, volume: noted('prod/monday'), populators: [] },
      says: 'True Populated',
      event: 'Normal',
      ...done,
    },
    {
      situation: 'from another namespace too',
      world: { ...populated, claim: stage.claim(sources.foreignDump, 'Bound'), volume: noted('prod/monday') },
      says: 'True Populated',
      saying: 'Dump backup/monday',
      event: 'Normal',
      ...done,
    },
    {
      situation: 'with a note of another source may hold anything',
      world: { ...populated, volume: noted('prod/tuesday') },
      says: 'Unknown OriginUnknown',
      ...done,
    },
    {
      situation: 'and is older than the claim may hold anything',
      world: { ...populated, volume: volume({ ...handedOver, creationTimestamp: early }) },
      says: 'Unknown OriginUnknown',
      ...done,
    },
    {
      situation: 'and was made by hand may hold anything',
      world: { ...populated, volume: volume({ ...handedOver, annotations: {} }) },
      says: 'Unknown OriginUnknown',
      ...done,
    },
    {
      situation: 'where nobody registers may hold anything',
      world: { ...populated, populators: [] },
      says: 'Unknown OriginUnknown',
      saying: 'it is unknown whether a populator filled it',
      ...done,
    },
    {
      situation: 'where nobody is registered for the kind may hold anything, until somebody is',
      world: { ...populated, populators: others },
      says: 'Unknown UnrecognizedDataSourceKind',
      event: 'Warning',
      next: 'wait',
      isAtRest: true,
    },
    {
      situation: 'and lay about does not become populated when the mark is taken off the claim',
      world: {
        ...populated,
        claim: stage.claim(sources.other, 'Bound', { annotations: {} }),
        volume: noted('prod/monday', annotations.chosen),
      },
      says: 'Unknown OriginUnknown',
      ...done,
    },
    {
      situation: 'and lay about may be that of a populator all the same',
      world: { ...populated, volume: noted('prod/monday', annotations.chosen) },
      says: 'Unknown OriginUnknown',
      event: 'Warning',
      ...done,
    },
  ]);
});

describe('a volume that no populator has had', () => {
  const useless = { next: 'reject', event: 'Warning', isAtRest: true } as const;
  testTable([
    {
      situation: 'was made for the claim itself',
      world: { ...populated, volume: volume() },
      says: 'False IgnoredByProvisioner',
      saying: 'created for this claim by disk.example.com',
      ...useless,
    },
    {
      situation: 'was made for it where nobody is registered',
      world: { ...populated, volume: volume(), populators: [] },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'was made for it, and nothing else needs to be known',
      world: { claim: bound, volume: volume() },
      says: 'False IgnoredByProvisioner',
      ...useless,
    },
    {
      situation: 'was transferred to it',
      world: {
        ...populated,
        claim: stage.claim(sources.other, 'Bound', stage.arrivedByTransfer),
        volume: volume({ ...handedOver, annotations: annotations.transferred() }),
      },
      says: 'False BoundToOtherVolume',
      ...useless,
    },
    {
      situation: 'was transferred to it, whatever its owner takes off the claim',
      world: { ...populated, volume: volume({ ...handedOver, annotations: annotations.transferred() }) },
      says: 'False BoundToOtherVolume',
      ...useless,
    },
  ]);
});
