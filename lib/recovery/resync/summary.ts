import { type Log, withFields } from '../../runtime/log.ts';
import { type ResyncReport, unsentOf } from './resync.ts';

/** The result of an invocation for each cluster. */
export interface Summary {
  cluster: string;
  runId: string;
  objects: number;
  unfinished: number;
  sent: number;
  /** Not sent, for lack of time. */
  unsent: number;
  leftOut: string[];
}

/** Logs the result. Problems that someone must fix make the invocation fail, but only after everything else is done. */
export function summarize(report: ResyncReport, unkept: string | undefined, log: Log): Summary {
  const { cluster, runId, objects, unfinished, leftOut, results } = report;
  const ofRun = withFields(log, { cluster, runId });
  for (const { kind, reason, isExpected } of leftOut) {
    ofRun[isExpected ? 'info' : 'error']('kind left out', { kind, reason });
  }
  const unsent = unsentOf(report);
  const sent = results.reduce((total, each) => total + each.sent, 0);
  ofRun.info(unsent === 0 ? 'resync over' : 'resync cut short', { objects, unfinished, sent, unsent });
  if (unkept !== undefined) ofRun.error('not archived', { error: unkept });
  const problems = [
    ...results.flatMap(({ function: name, problem }) => (problem === undefined ? [] : [`${name}: ${problem}`])),
    ...leftOut.flatMap(({ isExpected, reason }) => (isExpected ? [] : [reason])),
  ];
  if (problems.length > 0) throw new Error(`not everything about ${cluster} was sent again: ${problems.join('; ')}`);
  return { cluster, runId, objects, unfinished, sent, unsent, leftOut: leftOut.map(({ kind }) => kind) };
}
