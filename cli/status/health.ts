import { durationText } from '../operate/duration.ts';
import type { Leader } from '../operate/leader.ts';
import type { StatusReport, Stuck } from './report.ts';

/** Something that an operator has to see to. */
export interface Complaint {
  text: string;
  /** A command, if one helps. */
  remedy?: string;
}

/** Longshore works on an object within seconds, and looks at it again each minute. */
const slowAfterMs = 5 * 60_000;
const maxLagSeconds = 60;
const maxClockMs = 5_000;
/** Turned off on purpose. */
const isOff = /^(?:Transfers|Buckets|Snapshots)Off$/;

/** Everything that is wrong now; none if all is well. Waiting for people is not wrong. */
export function complaintsAbout(report: StatusReport): Complaint[] {
  const { answerMs, leaders, unfinished, problems } = report;
  if (answerMs === undefined) return problems.map((text) => ({ text }));
  const leading = leaders?.filter(({ state }) => state === 'leads') ?? [];
  return [
    ...problems.map((text) => ({ text })),
    ...(leaders && leading.length === 0 ? [nobodyLeads(leaders, report.at)] : []),
    ...leading.flatMap((leader) => aboutLeader(leader)),
    ...aboutObjects(unfinished, Date.parse(report.at)),
  ];
}

function nobodyLeads(leaders: readonly Leader[], at: string): Complaint {
  const remedy = 'longshore run';
  const [last] = leaders.toSorted((one, other) => (other.renewedAt ?? '').localeCompare(one.renewedAt ?? ''));
  if (!last) return { text: 'no process is active, and none has ever been', remedy };
  const ago = durationText(Date.parse(at) - Date.parse(last.renewedAt ?? ''));
  const failure = last.status?.failure?.error;
  const why = failure ? `. The last one failed: ${failure}` : '';
  return last.state === 'stale'
    ? { text: `no process is active: ${last.holder} has not renewed its lease for ${ago}${why}`, remedy }
    : { text: `no process is active: the lease was released ${ago} ago${why}`, remedy };
}

function aboutLeader({ identity, clockAheadMs = 0, status }: Leader): Complaint[] {
  const complaints: Complaint[] = [];
  if (Math.abs(clockAheadMs) > maxClockMs) {
    const direction = clockAheadMs > 0 ? 'ahead of' : 'behind';
    const by = durationText(Math.abs(clockAheadMs));
    complaints.push({ text: `the clock of ${identity} is ${by} ${direction} the server's` });
  }
  if (!status) return complaints;
  const { failingCount, failing, failure, isFollowing, lagSeconds } = status;
  if (failure) complaints.push({ text: `${identity} failed, and was restarted: ${failure.error}` });
  if (isFollowing && lagSeconds > maxLagSeconds) {
    complaints.push({ text: `${identity} is ${durationText(lagSeconds * 1_000)} behind the cluster's changes` });
  }
  if (failingCount > 0) {
    const isDenied = failing.some(({ reason }) => reason === 'Denied');
    const remedy = isDenied ? { remedy: 'longshore check' } : {};
    complaints.push({ text: `${failingCount} ${failingCount === 1 ? 'object is' : 'objects are'} failing`, ...remedy });
  }
  return complaints;
}

function aboutObjects(unfinished: readonly Stuck[], atMs: number): Complaint[] {
  const failed = unfinished.filter(({ state, reason = '', turn }) => {
    return state === 'failed' || (turn === 'administrator' && !isOff.test(reason));
  });
  const slow = unfinished.filter((each) => {
    return !failed.includes(each) && each.turn === 'Longshore' && atMs - Date.parse(each.since ?? '') > slowAfterMs;
  });
  const limit = durationText(slowAfterMs);
  return [
    ...(failed.length > 0 ? [{ text: `${countOf(failed)} for an administrator` }] : []),
    ...(slow.length > 0 ? [{ text: `${countOf(slow)} for Longshore for more than ${limit}` }] : []),
  ];
}

function countOf(all: readonly Stuck[]): string {
  return all.length === 1 ? '1 object is waiting' : `${all.length} objects are waiting`;
}
