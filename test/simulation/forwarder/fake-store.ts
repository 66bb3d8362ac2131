import { Readable } from 'node:stream';
import { gunzipSync } from 'node:zlib';
import type { SegmentStore } from '../../../lib/archive/archive.ts';
import { parseLine } from '../../../lib/archive/archived-message.ts';
import { readArchive, type SegmentSource } from '../../../lib/archive/read-archive.ts';
import type { Machine } from '../../support/simulated-time.ts';
import type { Fates } from './troubles.ts';
import type { World } from './world.ts';

/** Where segments are put, and what is in them. */
export class FakeStore {
  /** The messages that are there, by deduplication id. */
  readonly stored = new Set<string>();
  private readonly segments = new Map<string, Buffer>();
  private readonly world: World;
  private readonly fates: Fates;

  constructor(world: World, fates: Fates) {
    this.world = world;
    this.fates = fates;
  }

  for(machine: Machine): SegmentStore {
    return { put: (name, bytes) => this.put(machine, name, bytes) };
  }

  /** Reads all of it as whoever replays messages does. */
  async read(cluster: string): Promise<Set<string>> {
    const names = [...this.segments.keys()].sort();
    const source: SegmentSource = {
      list: async function* (prefix, after) {
        yield names.filter((name) => name.startsWith(prefix) && name > after);
      },
      open: async (name) => Readable.from([this.segments.get(name) ?? Buffer.of()]),
    };
    const found = new Set<string>();
    const range = { cluster, from: new Date(0), to: new Date(Date.UTC(2100, 0)) };
    for await (const { deduplicationId } of readArchive(source, range)) found.add(deduplicationId);
    return found;
  }

  private put(machine: Machine, name: string, bytes: Buffer): Promise<void> {
    const { takenMs, answerMs, isTaken, isAnswered } = this.fates.ofPut();
    return new Promise((resolve, reject) => {
      this.world.time.after(takenMs, () => {
        if (isTaken) this.take(name, bytes);
        const end = isAnswered ? resolve : () => reject(new Error('the store did not answer'));
        this.world.time.after(answerMs, () => machine.receive(end));
      });
    });
  }

  private take(name: string, bytes: Buffer): void {
    this.segments.set(name, bytes);
    const lines = gunzipSync(bytes).toString().split('\n').slice(0, -1);
    for (const line of lines) this.stored.add(parseLine(line).deduplicationId);
    this.world.tell(() => `store: segment of ${lines.length} messages`);
  }
}
