import type { SegmentSource } from '../../archive/read-archive.ts';
import type { Offer } from '../../queue/send.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Records } from './record.ts';
import type { Damage } from './summary.ts';

/** What a run works with. */
export interface Means {
  source: SegmentSource;
  /** Of which clusters there is something in the archive. */
  clusters: () => AsyncIterable<string>;
  /** The clusters whose messages somebody here works on; all of them, where that is not known. */
  served?: readonly string[] | undefined;
  records: Records;
  /** Who has a queue for messages. */
  functions: readonly string[];
  offer: Offer;
  clock: Clock;
  signal: AbortSignal;
  /** These clusters are in the archive, and are left out because they are not served. */
  onUnserved?: (clusters: readonly string[]) => void;
  onDamage?: (damage: Damage) => void;
  onTrouble?: (problem: string) => void;
}
