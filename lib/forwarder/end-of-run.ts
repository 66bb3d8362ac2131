import { endsAtOf, holderOf, type LeaseRecord } from './lease-record.ts';

/**
 * When a run for several clusters ends: with the run that has some of them already, if there is one. Otherwise two runs would
 * share them from then on, one beginning while the other is in its midst, and both would be paid for. What ends before `soon`
 * is waited for, and taken with the others.
 */
export function endOfRun(own: Date, soon: Date, leases: readonly (LeaseRecord | undefined)[]): Date {
  const others = leases
    .filter((record) => holderOf(record) !== '')
    .map((record) => endsAtOf(record)?.getTime() ?? Number.POSITIVE_INFINITY)
    .filter((end) => end > soon.getTime());
  return new Date(Math.min(own.getTime(), ...others));
}
