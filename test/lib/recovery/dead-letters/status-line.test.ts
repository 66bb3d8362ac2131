import { expect, test } from '@jest/globals';
import type { ClusterObject, Condition } from '../../../../lib/kubernetes/objects.ts';
import { statusLineOf } from '../../../../lib/recovery/dead-letters/status-line.ts';

const named: ClusterObject = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata: { name: 'data' } };

function condition(type: string, status: Condition['status'], reason: string, minute: number, message = ''): Condition {
  return { type, status, reason, message, lastTransitionTime: `2026-11-19T03:0${minute}:00Z` };
}

const matched = condition('Matched', 'True', 'Matched', 1);
const inUse = condition('SourceReady', 'False', 'InUse', 2, 'pod prod/app uses it');
const failed = condition('Complete', 'False', 'Failed', 2, 'no answer; given up after 8 attempts');

test.each<[string, object | undefined, string]>([
  ['nothing', undefined, 'not there'],
  ['what has no status', named, 'there, without a status'],
  ['a phase', { ...named, status: { phase: 'Bound' } }, 'Bound'],
  [
    'a phase and a condition',
    { ...named, status: { phase: 'Pending', conditions: [matched] } },
    'Pending; Matched True Matched',
  ],
  [
    'what keeps it from being as it should',
    { ...named, status: { conditions: [matched, inUse] } },
    'SourceReady False InUse: pod prod/app uses it',
  ],
  [
    'what was reached last of all that was reached in one second',
    { ...named, status: { conditions: [matched, { ...matched, type: 'Complete', reason: 'Complete' }] } },
    'Complete True Complete',
  ],
  [
    'what was given up before what is merely unmet',
    { ...named, status: { conditions: [inUse, failed] } },
    'Complete False Failed: no answer; given up after 8 attempts',
  ],
  [
    'what is on its way out',
    { ...named, metadata: { name: 'data', deletionTimestamp: '2026-11-19T03:00:00Z' }, status: { phase: 'Bound' } },
    'being deleted; Bound',
  ],
  ['conditions that are none', { ...named, status: { conditions: 'x' } }, 'there, without a status'],
])('%s is said on one line', (_, object, said) => {
  expect(statusLineOf(object as ClusterObject | undefined)).toBe(said);
});
