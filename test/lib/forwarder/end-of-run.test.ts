import { expect, test } from '@jest/globals';
import { endOfRun } from '../../../lib/forwarder/end-of-run.ts';
import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';

const minutes = (count: number) => new Date(Date.parse('2026-03-01T12:00:00Z') + count * 60_000);
const own = minutes(15);
const soon = minutes(1);

const leaseOf = (holderIdentity: string, endsAt?: Date): LeaseRecord => ({
  apiVersion: 'coordination.k8s.io/v1',
  kind: 'Lease',
  metadata: { name: 'forward', annotations: endsAt ? { 'longshore.dev/ends-at': endsAt.toISOString() } : {} },
  spec: { holderIdentity },
});

test.each([
  ['nobody has any of its clusters', [undefined, leaseOf('')], own],
  ['another run has one, and ends earlier', [undefined, leaseOf('other', minutes(7))], minutes(7)],
  ['two others have some', [leaseOf('one', minutes(9)), leaseOf('two', minutes(7))], minutes(7)],
  ['the other one ends so soon that it is waited for', [leaseOf('other', minutes(1))], own],
  ['the other one has ended, or its clock is wrong', [leaseOf('other', minutes(-1))], own],
  ['the other one ends later', [leaseOf('other', minutes(20))], own],
  ['the other one does not say when it ends', [leaseOf('process')], own],
  ['what ends has been released', [leaseOf('', minutes(7))], own],
])('a run ends at its own time, or with the one that has some of its clusters: %s', (_, leases, end) => {
  expect(endOfRun(own, soon, leases)).toEqual(end);
});
