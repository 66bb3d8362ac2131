import { describe, expect, test } from '@jest/globals';
import type { Claim, ClusterObject, ObjectMeta } from '../../../../../lib/kubernetes/objects.ts';
import { claim, protection, request, volume } from '../../../../support/builders.ts';
import { deletionTimestamp, fence, fenced, ofTarget, ours, recorded, standing, target } from '../stages.ts';
import { routesAfter, type Type, toRequest, toVolume } from './routes-after.ts';

const complete = request({ status: { complete: true, observedGeneration: 1 } });
const bound = standing();
const asked: [Type, ClusterObject] = ['added', request()];
const released = fenced({ deletionTimestamp, finalizers: [ours] });

describe('a claim', () => {
  const gone = claim({ metadata: { annotations: fence } });
  const lastWords = (metadata: Partial<ObjectMeta>): Claim => claim({ metadata });
  test.each<[string, string[], ...[Type, ClusterObject][]]>([
    ['that nobody asked for brings no message', [], ['added', claim()]],
    ['that a request waits for leads to the request', [toRequest], asked, ['updated', claim()]],
    [
      'that has the name of the target leads to the request',
      [toRequest],
      asked,
      ['added', claim({ metadata: { namespace: 'stage', name: 'copy' } })],
    ],
    ['of a request that is complete brings none', [], asked, ['updated', complete], ['updated', claim()]],
    ['of a request that is gone brings none', [], asked, ['deleted', request()], ['updated', claim()]],
    ['that we fenced ourselves brings none', [], asked, ['updated', fenced()]],
    [
      'whose fence is seen after its request has gone leads to its volume',
      [toVolume],
      asked,
      ['deleted', request()],
      ['updated', fenced()],
    ],
    ['that is fenced when it is listed leads to its volume', [toVolume], ['listed', fenced()]],
    [
      'that has our finalizer without the name of a transfer leads to its volume',
      [toVolume],
      asked,
      ['updated', fenced({ annotations: {} })],
    ],
    ['that is deleted but held brings none', [], asked, ['updated', fenced({ deletionTimestamp })]],
    ['that only we hold any more leads to its volume', [toVolume], asked, ['updated', released]],
    ['that went because it was moved does not wake the request that moved it', [], asked, ['deleted', gone]],
    [
      'that went in another way wakes the request',
      [toRequest],
      asked,
      ['deleted', lastWords({ finalizers: [protection] })],
    ],
    [
      'that was removed by force before its volume had left it leads to the volume',
      [toVolume],
      asked,
      ['updated', recorded()],
      ['deleted', gone],
    ],
    [
      'that went after its volume had left it brings none',
      [],
      asked,
      ['updated', recorded(ofTarget)],
      ['deleted', gone],
    ],
    [
      'that has the name of the target leads to the volume once the transfer has begun',
      [toVolume],
      asked,
      ['updated', fenced()],
      ['deleted', claim({ metadata: { namespace: 'stage', name: 'copy' } })],
    ],
    [
      'that was in the place of the target leads to the volume that is recorded, even when the request has gone',
      [toVolume],
      ['updated', recorded()],
      ['deleted', claim({ metadata: { namespace: 'stage', name: 'copy' }, spec: { volumeName: 'volume-2' } })],
    ],
    [
      'that was elsewhere leads to no recorded volume',
      [],
      ['updated', recorded()],
      ['deleted', claim({ metadata: { namespace: 'stage', name: 'other' } })],
    ],
    [
      'that was in the place of the target of a record that is off brings none',
      [],
      ['updated', recorded()],
      ['updated', volume({ spec: ofTarget })],
      ['deleted', claim({ metadata: { namespace: 'stage', name: 'copy' } })],
    ],
    ['that is the new target brings none before it is bound', [], asked, ['added', target()]],
    ['that is the target leads to the volume when it is bound', [toVolume], ['added', target()], ['updated', bound]],
    ['that is the target and goes leads to its volume', [toVolume], ['deleted', target()]],
    [
      'that is the target and waits when it is listed leads to the request and to the volume',
      [toRequest, toVolume],
      ['listed', target()],
    ],
    ['that was the target once brings none when it is listed', [], ['listed', bound]],
    ['that is the target brings one message only', [], ['added', target()], ['updated', bound], ['updated', bound]],
  ])('%s', (_, expected, ...changes) => {
    expect(routesAfter(...changes)).toEqual(expected);
  });
});

describe('a fence that a user wrote on a claim of theirs', () => {
  const forged = fenced({ namespace: 'test', name: 'forged', uid: 'uid-forged' });
  const onVolume2: Claim = { ...forged, spec: { ...forged.spec, volumeName: 'volume-2' } };
  const toVolume2 = 'rebind-volume volume-2';

  test('does not hide the claim that the request has fenced, whichever is seen last', () => {
    const both: [Type, ClusterObject][] = [
      ['updated', fenced()],
      ['updated', onVolume2],
    ];
    for (const order of [both, both.toReversed()]) {
      expect(routesAfter(asked, ...order, ['deleted', request()]).toSorted()).toEqual([toVolume, toVolume2]);
    }
  });

  test('is forgotten alone when it goes', () => {
    expect(
      routesAfter(asked, ['updated', fenced()], ['updated', onVolume2], ['deleted', onVolume2], ['deleted', request()]),
    ).toEqual([toVolume]);
  });

  test('does not hide the volume that carries the record', () => {
    expect(routesAfter(asked, ['updated', onVolume2], ['updated', recorded()], ['deleted', request()])).toEqual([
      toVolume,
      toVolume2,
    ]);
  });
});

test('all requests that wait for a claim are woken, each once', () => {
  const other = request({ metadata: { name: 'other', uid: 'uid-other' } });
  const woken = routesAfter(['added', request()], ['added', other], ['updated', request()], ['updated', claim()]);
  expect(woken).toEqual([toRequest, 'match-transfer stage/other']);
});

test('a request that another moved away from in vain is woken when the claim goes', () => {
  const other = request({ metadata: { name: 'other', uid: 'uid-other' } });
  const gone = claim({ metadata: { annotations: fence } });
  expect(routesAfter(['added', request()], ['added', other], ['deleted', gone])).toEqual([
    'match-transfer stage/other',
  ]);
});
