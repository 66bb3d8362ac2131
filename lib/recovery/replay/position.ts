import { parseSegmentName } from '../../archive/segment-names.ts';
import type { ReplaySpec } from './spec.ts';

/** The progress of a replay: this many lines of a segment, and all segments before it. */
export interface Position {
  cluster: string;
  segment: string;
  lines: number;
}

export interface Place {
  /** From 0 to 1, by the time range: the number of remaining messages is unknown. */
  share: number;
  /** The time at which the present messages were originally sent, to within a minute. */
  time: Date | undefined;
}

export function placeOf({ clusters, from, to }: ReplaySpec, position: Position | undefined): Place {
  const time = position && parseSegmentName(position.segment)?.time;
  if (!time) return { share: 0, time: undefined };
  const ofCluster = (time.getTime() - from.getTime()) / Math.max(1, to.getTime() - from.getTime());
  const share = (clusters.indexOf(position.cluster) + Math.min(1, Math.max(0, ofCluster))) / clusters.length;
  return { share, time };
}
