import type { SegmentSource } from '../../archive/read-archive.ts';
import type { Offer } from '../../queue/send.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Records } from './record.ts';
import type { Damage } from './summary.ts';

/** The environment of a run. */
export interface Means {
  source: SegmentSource;
  /** The clusters in the archive. */
  clusters: () => AsyncIterable<string>;
  /** The clusters whose messages are processed here; all of them, if unknown. */
  served?: readonly string[] | undefined;
  records: Records;
  /** The functions that have a queue. */
  functions: readonly string[];
  offer: Offer;
  clock: Clock;
  signal: AbortSignal;
  /** Called with the clusters in the archive that are left out because they are not served. */
  onUnserved?: (clusters: readonly string[]) => void;
  onDamage?: (damage: Damage) => void;
  onTrouble?: (problem: string) => void;
}
