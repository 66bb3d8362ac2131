import { Readable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { SegmentStore } from '../../../lib/archive/archive.ts';
import { type ArchivedMessage, parseLine } from '../../../lib/archive/archived-message.ts';
import type { SegmentSource } from '../../../lib/archive/read-archive.ts';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { defaultWaitMs } from '../../support/patience.ts';

/** `unanswered` is what S3 does when the connection breaks after the last byte: the object is there, and nobody knows. */
export type Answer = 'taken' | 'refused' | 'unanswered' | 'late';

/** A bucket as S3 has them: whole objects, the last one of a name, listed by name. */
export class FakeSegments implements SegmentStore, SegmentSource {
  readonly objects = new Map<string, Buffer>();
  readonly puts: { name: string; bytes: Buffer }[] = [];
  /** The names that somebody was told to be there. */
  readonly confirmed = new Set<string>();
  /** What the next puts come to; `taken` when there are no more. */
  answers: Answer[] = [];
  atOnce = 0;
  pageSize = 1_000;
  listed: string[] = [];
  private late: (() => void)[] = [];

  async put(name: string, bytes: Buffer): Promise<void> {
    this.puts.push({ name, bytes });
    this.atOnce += 1;
    if (this.atOnce > 1) throw new Error('two puts at a time');
    const answer = this.answers.shift() ?? 'taken';
    if (answer === 'late') await new Promise<void>((resolve) => this.late.push(resolve));
    this.atOnce -= 1;
    if (answer !== 'refused') this.objects.set(name, bytes);
    if (answer === 'refused' || answer === 'unanswered') throw new Error(`the put was ${answer}`);
    this.confirmed.add(name);
  }

  answerLate(): void {
    for (const answer of this.late.splice(0)) answer();
  }

  async *list(prefix: string, after: string): AsyncGenerator<string[]> {
    const names = [...this.objects.keys()].filter((name) => name.startsWith(prefix) && name > after).sort();
    for (let start = 0; start < names.length; start += this.pageSize) {
      const page = names.slice(start, start + this.pageSize);
      this.listed.push(...page);
      yield page;
    }
  }

  async open(name: string): Promise<Readable> {
    const bytes = this.objects.get(name);
    if (!bytes) throw new Error('The specified key does not exist.');
    return Readable.from([bytes]);
  }

  get messages(): ArchivedMessage[] {
    return [...this.objects.keys()].sort().flatMap((name) => this.messagesOf(name));
  }

  messagesOf(name: string): ArchivedMessage[] {
    const text = gunzipSync(this.objects.get(name) ?? '').toString();
    return text.split('\n').slice(0, -1).map(parseLine);
  }
}

export function messageOf(body: string): OutgoingMessage {
  const start = body.slice(0, 20);
  return { function: 'match-claim', body, groupId: `group of ${start}`, deduplicationId: `id of ${start}` };
}

export async function until(what: string, holds: () => boolean): Promise<void> {
  const deadline = performance.now() + defaultWaitMs;
  while (!holds()) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await turn();
  }
}

/** For what must not happen: where nothing waits for a thread, what was about to happen has happened after some turns. */
export async function settled(): Promise<void> {
  for (let turns = 0; turns < 50; turns += 1) await turn();
}
