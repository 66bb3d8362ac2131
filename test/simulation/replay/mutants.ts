import type { ArchivedMessage } from '../../../lib/archive/archived-message.ts';
import { readEnvelope } from '../../../lib/queue/envelope.ts';
import type { OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import type { Refusal } from '../../../lib/queue/sqs/answer.ts';
import type { ArchiveReader } from '../../../lib/recovery/replay/archive-reader.ts';
import type { Position } from '../../../lib/recovery/replay/position.ts';

/** A change to the replay that makes it wrong: where messages were lost, the simulation must notice. */
export interface ReplayMutant {
  name: string;
  archive?(reader: ArchiveReader): ArchiveReader;
  /** What is put onto the queue instead of what was offered; each can be had as it was sent first. */
  offered?(
    messages: OutgoingMessage[],
    originalOf: (message: OutgoingMessage) => OutgoingMessage,
    runId: string,
  ): OutgoingMessage[];
  /** What it believes was refused. */
  answered?(refusals: Refusal[]): Refusal[];
  /** From where a run goes on that was killed, where everything up to `end` had been read. */
  kept?(position: Position | undefined, end: Position | undefined): Position | undefined;
}

export const replayMutants: readonly ReplayMutant[] = [
  { name: 'replays-nothing', archive: (reader) => ({ ...reader, async *segments() {} }) },
  {
    name: 'leaves-the-first-half-out',
    archive: (reader) => ({ ...reader, segments: (...range) => secondHalf(reader.segments(...range)) }),
  },
  {
    name: 'leaves-the-second-half-out',
    archive: (reader) => ({ ...reader, segments: (...range) => firstHalf(reader.segments(...range)) }),
  },
  { name: 'keeps-the-first-ids', offered: (messages, originalOf) => messages.map(originalOf) },
  {
    name: 'tells-messages-apart-by-their-ids-alone',
    offered: (messages, originalOf, runId) =>
      messages.map((message) => ({ ...message, deduplicationId: `${originalOf(message).deduplicationId}/${runId}` })),
  },
  { name: 'takes-a-group-for-its-key', archive: firstOfGroups },
  { name: 'takes-refused-for-taken', answered: () => [] },
  { name: 'goes-on-behind-what-was-on-its-way', kept: (_, end) => end },
];

/** Of each group the first one that is a message goes; the others have no queue, so that the lines stay as many. */
function firstOfGroups(reader: ArchiveReader): ArchiveReader {
  const had = new Set<string>();
  const left = (message: ArchivedMessage): ArchivedMessage => {
    if (!isMessage(message.body)) return message;
    const group = `${message.function} ${message.groupId}`;
    const isFirst = !had.has(group);
    had.add(group);
    return isFirst ? message : { ...message, function: 'left-out' };
  };
  return {
    ...reader,
    async *messages(segment) {
      for await (const messages of reader.messages(segment)) yield messages.map(left);
    },
  };
}

function isMessage(body: string): boolean {
  return !(readEnvelope(body).content instanceof Error);
}

async function* firstHalf(names: AsyncIterable<string>): AsyncGenerator<string> {
  const all = await allOf(names);
  yield* all.slice(0, all.length / 2);
}

async function* secondHalf(names: AsyncIterable<string>): AsyncGenerator<string> {
  const all = await allOf(names);
  yield* all.slice(all.length / 2);
}

async function allOf(names: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = [];
  for await (const name of names) all.push(name);
  return all;
}
