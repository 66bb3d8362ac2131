import { parseSegmentName } from '../../archive/segment-names.ts';
import type { ReplaySpec } from './spec.ts';

/** How far a replay has come: so many lines of a segment, and all segments before it. */
export interface Position {
  cluster: string;
  segment: string;
  lines: number;
}

export interface Place {
  /** From 0 to 1, by the time that is behind: how many messages are still to come is not known. */
  share: number;
  /** When the messages that are being replayed had been sent, to within a minute. */
  time: Date | undefined;
}

export function placeOf({ clusters, from, to }: ReplaySpec, position: Position | undefined): Place {
  const time = position && parseSegmentName(position.segment)?.time;
  if (!time) return { share: 0, time: undefined };
  const ofCluster = (time.getTime() - from.getTime()) / Math.max(1, to.getTime() - from.getTime());
  const share = (clusters.indexOf(position.cluster) + Math.min(1, Math.max(0, ofCluster))) / clusters.length;
  return { share, time };
}
