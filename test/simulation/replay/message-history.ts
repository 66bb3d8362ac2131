import type { ArchivedMessage } from '../../../lib/archive/archived-message.ts';
import { segmentName } from '../../../lib/archive/segment-names.ts';
import { sentAgain } from '../../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import type { ArchiveReader } from '../../../lib/recovery/replay/archive-reader.ts';
import type { Position } from '../../../lib/recovery/replay/position.ts';
import type { Random } from '../random.ts';

/** Small ones, so that a history has several. */
const messagesInSegment = 12;
/** As the fake cluster is called: what is about another one is not sent. */
export const archivedCluster = 'test';
/** A legal name, which nothing has. */
const forgedMark = 'forged-line';

/** What was forged is refused wherever it arrives, and becomes a dead letter. */
export function isForged({ body }: OutgoingMessage): boolean {
  return body.includes(forgedMark);
}

/** All that was ever sent in a run, as an archive. */
export class MessageHistory {
  private readonly segments: { name: string; messages: ArchivedMessage[] }[] = [];
  private isCut = true;

  get functions(): string[] {
    return [...new Set(this.messages.map((message) => message.function))];
  }

  add(message: OutgoingMessage, sentAt: Date): void {
    const open = this.segments.at(-1);
    if (!this.isCut && open && open.messages.length < messagesInSegment) {
      open.messages.push({ ...message, sentAt });
      return;
    }
    this.isCut = false;
    const sequence = this.segments.length;
    const name = segmentName({ cluster: archivedCluster, time: sentAt, writer: 'w', sequence });
    this.segments.push({ name, messages: [{ ...message, sentAt }] });
  }

  /** Something else with the group of a message that is there, put before it by somebody who can write into the archive. */
  forge(message: OutgoingMessage, sentAt: Date, random: Random): void {
    const body = random.chance(0.5) ? forgedMark : JSON.stringify({ ...JSON.parse(message.body), name: forgedMark });
    const deduplicationId = random.chance(0.5) ? message.deduplicationId : `${message.deduplicationId}/${forgedMark}`;
    this.add({ ...message, body, deduplicationId }, sentAt);
  }

  /** How many segments there are: what comes from now on is in none of them. */
  cut(): number {
    this.isCut = true;
    return this.segments.length;
  }

  /** The end of the first so many segments. */
  endOf(count: number): Position | undefined {
    const last = this.segments[count - 1];
    return last && { cluster: archivedCluster, segment: last.name, lines: last.messages.length };
  }

  /** Reads the first so many segments. */
  reader(count: number): ArchiveReader {
    const segments = this.segments.slice(0, count);
    return {
      async *segments(_, first = '') {
        for (const { name } of segments) if (name >= first) yield name;
      },
      async *messages(segment) {
        yield segments.find(({ name }) => name === segment)?.messages ?? [];
      },
    };
  }

  /** What was sent first, of a message of a replay. */
  originalOf({ deduplicationId }: OutgoingMessage, runId: string): OutgoingMessage {
    const found = this.messages.find((message) => sentAgain(message, runId).deduplicationId === deduplicationId);
    if (!found) throw new Error('what was replayed had never been sent');
    return found;
  }

  private get messages(): ArchivedMessage[] {
    return this.segments.flatMap(({ messages }) => messages);
  }
}
