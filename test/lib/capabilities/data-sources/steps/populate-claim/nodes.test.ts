import { describe, expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/data-sources/steps/populate-claim/decide.ts';
import { storageClass } from '../../../../../support/builders-of-snapshots.ts';
import * as stage from '../../populate-stages.ts';
import { settle, summaryOf, testTable } from '../../populate-table.ts';

const { forClaim, held, selectedNode, stages } = stage;
const asked = 'longshore.dev/selected-node';
const waits = storageClass({ volumeBindingMode: 'WaitForFirstConsumer' });
const chosen = (node?: string) => held({ metadata: { annotations: node ? { [selectedNode]: node } : {} } });
const primeFor = (marks: Record<string, string> = {}) => stage.prime({ annotations: { ...forClaim, ...marks } });
/** The claim with its node, and the prime claim with what was asked for and what is left of it. */
const world = (node: string | undefined, marks: Record<string, string>) => ({
  ...stages.primeMade,
  storageClass: waits,
  claim: chosen(node),
  prime: primeFor(marks),
});

describe('where the class waits for the first pod', () => {
  testTable([
    {
      situation: 'nothing is made before there is a node',
      world: { ...stages.asked, storageClass: waits },
      says: 'False AwaitingConsumer',
      next: 'wait',
      event: 'Normal',
    },
    {
      situation: 'all begins with a node',
      world: {
        ...stages.asked,
        storageClass: waits,
        claim: { ...chosen('node-1'), metadata: { ...chosen('node-1').metadata, finalizers: [] } },
      },
      write: 'patch claim',
      next: 'create contentCopy',
    },
    {
      situation: 'the prime claim is made for the same node',
      world: { ...stages.snapshotReady, storageClass: waits, claim: chosen('node-1') },
      write: 'create prime',
      body: { metadata: { annotations: { [selectedNode]: 'node-1', [asked]: 'node-1' } } },
      event: 'Normal Populating',
      next: 'wait Populating',
    },
    {
      situation: 'nothing is written while the node does',
      world: world('node-1', { [selectedNode]: 'node-1', [asked]: 'node-1' }),
      answer: 'wait Populating',
    },
    {
      situation: 'a node that does not do is taken off the claim, for the scheduler to choose again',
      world: world('node-1', { [asked]: 'node-1' }),
      write: 'patch claim',
      exactly: { metadata: { annotations: { [selectedNode]: null } } },
      event: 'Normal Rescheduling',
      next: 'patch prime',
    },
    {
      situation: 'that it was asked for is forgotten, so that it may be chosen again',
      world: world(undefined, { [asked]: 'node-1' }),
      write: 'patch prime',
      exactly: { metadata: { annotations: { [asked]: null } } },
      next: 'wait Populating',
    },
    {
      situation: 'it waits for the scheduler',
      world: world(undefined, {}),
      answer: 'wait Populating',
    },
    {
      situation: 'the next node is handed on',
      world: world('node-2', {}),
      write: 'patch prime',
      exactly: { metadata: { annotations: { [selectedNode]: 'node-2', [asked]: 'node-2' } } },
      next: 'wait Populating',
    },
    {
      situation: 'also if what was asked for is not forgotten yet',
      world: world('node-2', { [asked]: 'node-1' }),
      write: 'patch prime',
      exactly: { metadata: { annotations: { [selectedNode]: 'node-2', [asked]: 'node-2' } } },
      next: 'wait Populating',
    },
    {
      situation: 'the same node is handed on again, when it is chosen again',
      world: world('node-1', {}),
      write: 'patch prime',
      exactly: { metadata: { annotations: { [selectedNode]: 'node-1', [asked]: 'node-1' } } },
      next: 'wait Populating',
    },
    {
      situation: 'another node on the claim changes nothing while the provisioner is at work',
      world: world('node-2', { [selectedNode]: 'node-1', [asked]: 'node-1' }),
      answer: 'wait Populating',
    },
    {
      situation: 'what the provisioner complains of is told when there is nothing to move',
      world: { ...world('node-1', { [selectedNode]: 'node-1', [asked]: 'node-1' }), trouble: 'full' },
      says: 'False ProvisioningFailed',
      next: 'wait',
      saying: 'full',
    },
  ]);

  test('a node that does not do goes and the next one comes, in two runs', () => {
    const first = settle(world('node-1', { [asked]: 'node-1' }));
    expect(first.writes).toEqual(['patch claim', 'patch prime']);
    expect(first.world.claim?.metadata.annotations).toEqual({});
    const claim = { ...chosen('node-2'), metadata: { ...first.world.claim?.metadata, ...chosen('node-2').metadata } };
    const next = settle({ ...first.world, claim });
    expect(next.writes).toEqual(['patch prime']);
    expect(next.world.prime?.metadata.annotations).toMatchObject({ [selectedNode]: 'node-2', [asked]: 'node-2' });
  });

  test('nothing is moved while consent is lacking, and what was begun is removed', () => {
    const start = { ...world('node-1', { [asked]: 'node-1' }), grants: [] };
    expect(settle(start).world.claim?.metadata.annotations).toEqual({ [selectedNode]: 'node-1' });
    expect(summaryOf(decide(start, stage.now))).toBe('delete prime');
  });
});

test('a claim of an immediate class has no node to be moved', () => {
  expect(summaryOf(decide(stages.primeMade, stage.now))).toBe('wait Populating');
});
