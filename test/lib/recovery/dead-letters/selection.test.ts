import { expect, test } from '@jest/globals';
import { functions } from '../../../../cli/dead-letters/known-functions.ts';
import { isSelected, type Selection } from '../../../../lib/recovery/dead-letters/selection.ts';
import { creating, made } from '../../capabilities/buckets/steps/request-bucket/samples.ts';
import { messageAbout } from './case-queues.ts';
import { deadLetter } from './fake-dead-letter-queue.ts';

const ofTransfer = deadLetter('1', { body: messageAbout('db1').body });
const ofRequest = deadLetter('2', { function: 'request-bucket', body: creating() });
const ofEvent = deadLetter('3', { function: 'request-bucket', body: made('data-1') });
const unreadable = deadLetter('4', { body: 'no JSON' });
const all = [ofTransfer, ofRequest, ofEvent, unreadable];

test.each<[Selection, typeof all]>([
  [{}, all],
  [{ cluster: 'main' }, [ofTransfer, ofRequest]],
  [{ cluster: 'other' }, []],
  [{ kind: 'StorageTransferRequest' }, [ofTransfer]],
  [{ kind: 'Bucket', namespace: 'team-a', name: 'reports' }, [ofRequest]],
  [{ namespace: 'stage' }, [ofTransfer]],
  [{ name: 'db' }, []],
  [{ before: new Date('2026-11-19T03:00:01Z') }, all],
  [{ before: new Date('2026-11-19T03:00:00Z') }, []],
])('%j means certain letters', (selection, expected) => {
  expect(all.filter((each) => isSelected(each, selection, functions))).toEqual(expected);
});
