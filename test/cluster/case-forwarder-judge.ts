import type { History, LeaseSeen, Written } from './case-forwarder-history.ts';
import {
  type Content,
  causesById,
  checkpointName,
  messageOf,
  read,
  subjectOf,
  type Told,
} from './case-forwarder-messages.ts';

/**
 * What is wrong with a history. A message carries no version, but an id that is computed from it: so it is computed from
 * every version that was written, and looked up. A message of a version can only have come after that was written.
 */
export class Judge {
  private readonly written: Written[];
  private readonly history: (Told | LeaseSeen)[];

  constructor(written: Written[], history: History) {
    this.written = written;
    const causes = causesById(written);
    this.history = history.map((event) => (event.type === 'lease' ? event : read(event, causes)));
  }

  /** Messages that nothing that was written explains: of no version, of another key, or about what concerns nobody. */
  unexplained(): string[] {
    const isExplained = ({ cause, arrived }: Told) => {
      if (!cause) return false;
      const { written } = cause;
      const { body, groupId } = messageOf(written, { version: cause.version, type: 'update' });
      const [told, expected] = [arrived.body, body].map((text) => subjectOf(JSON.parse(text) as Content));
      const isAtPlace = arrived.queue === `${written.function}.fifo` && arrived.groupId === groupId;
      return told === expected && isAtPlace && written.concerning.length > 0;
    };
    return this.told.filter((each) => !isExplained(each)).map(({ arrived }) => `${arrived.sender}: ${arrived.body}`);
  }

  /**
   * Messages of a key that came after one of a later version. There is none, whoever sent them: a process sends a key's
   * next message only when the last one was answered, and one that takes over lists what there is after it took over, so
   * that it finds at least what the one before it had seen. Changes that were told together are told by the latest.
   */
  outOfOrder(): string[] {
    const latest = new Map<string, number>();
    return this.told.flatMap(({ cause, arrived }) => {
      if (!cause) return [];
      const before = latest.get(arrived.groupId) ?? 0;
      latest.set(arrived.groupId, Math.max(before, cause.version));
      return cause.version < before
        ? [`${nameOf(cause.written)} came in version ${cause.version} after ${before}`]
        : [];
    });
  }

  /** Versions that were told twice, with no list or resync whose run would explain the second time. */
  repeated(): string[] {
    const seen = new Set<string>();
    return this.told.flatMap(({ cause, runId, arrived }) => {
      if (!cause || arrived.isDuplicate) return [];
      const name = `${nameOf(cause.written)} in version ${cause.version}`;
      const isRepeated = seen.has(name) && runId === undefined;
      seen.add(name);
      return isRepeated ? [name] : [];
    });
  }

  /** Objects of whose last state that concerns somebody there was no message. */
  lost(): string[] {
    const latest = new Map<Written, number>();
    for (const each of this.told) note(latest, each);
    return this.written.flatMap((each) => {
      const [wanted, told] = [each.concerning.at(-1) ?? 0, latest.get(each) ?? 0];
      return told < wanted ? [`${nameOf(each)}: version ${wanted}, and told was ${told}`] : [];
    });
  }

  /** Objects whose state as of a checkpoint had not been told when that checkpoint was in the Lease. */
  aheadOfMessages(): string[] {
    const latest = new Map<Written, number>();
    return this.history.flatMap((event) => {
      if ('arrived' in event) {
        note(latest, event);
        return [];
      }
      return this.written.flatMap((each) => {
        const reached = Number(event.checkpoint[checkpointName(each.kind)] ?? 0);
        const wanted = each.concerning.findLast((version) => version <= reached) ?? 0;
        const told = latest.get(each) ?? 0;
        return told < wanted
          ? [`${nameOf(each)}: version ${wanted} of checkpoint ${reached}, and told was ${told}`]
          : [];
      });
    });
  }

  /** Checkpoints that were behind the one before, by kind. */
  checkpointsBackwards(): string[] {
    const latest = new Map<string, number>();
    return this.leases.flatMap(({ checkpoint }) =>
      [...new Set([...latest.keys(), ...Object.keys(checkpoint)])].flatMap((kind) => {
        const [before, now] = [latest.get(kind) ?? 0, Number(checkpoint[kind] ?? 0)];
        latest.set(kind, now);
        return now < before ? [`${kind}: from ${before} to ${now}`] : [];
      }),
    );
  }

  /** How often another process began to send than the one before. */
  get handOvers(): number {
    const senders = this.told.map(({ arrived }) => arrived.sender);
    return senders.filter((sender, index) => index > 0 && sender !== senders[index - 1]).length;
  }

  private get told(): Told[] {
    return this.history.filter((event) => 'arrived' in event);
  }

  private get leases(): LeaseSeen[] {
    return this.history.filter((event) => 'checkpoint' in event);
  }
}

function note(latest: Map<Written, number>, { cause, arrived }: Told): void {
  if (!cause || arrived.isDuplicate) return;
  latest.set(cause.written, Math.max(latest.get(cause.written) ?? 0, cause.version));
}

function nameOf({ kind, key, uid }: Written): string {
  return `${kind} ${key.name} (${uid})`;
}
