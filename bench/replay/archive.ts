import { hash } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { toLine } from '../../lib/archive/archived-message.ts';
import { maxSegmentBytes } from '../../lib/archive/segment-limits.ts';
import { segmentName } from '../../lib/archive/segment-names.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { OutgoingMessage } from '../../lib/queue/message-parts.ts';

/** As many keys as a large cluster has relevant claims; more messages mean more for each key. */
const keys = 40_000;
const functions = ['match-claim', 'match-claim', 'rebind-volume', 'populate-claim'];
const startMs = Date.UTC(2026, 10, 19);
const cluster = 'main';

/** Consecutive milliseconds: a number of messages is a range of time. */
export const timeOf = (index: number): Date => new Date(startMs + index);

export interface WrittenArchive {
  folder: string;
  segments: number;
  bytes: number;
  remove(): Promise<void>;
}

/** Writes messages as the forwarder would have archived them, in files named after the keys of the segments. */
export function writeArchive(messages: number): WrittenArchive {
  const folder = mkdtempSync(join(tmpdir(), 'longshore-bench-archive-'));
  let [segments, bytes, lines, size] = [0, 0, [] as string[], 0];
  const close = (end: number) => {
    if (lines.length === 0) return;
    const name = segmentName({ cluster, time: timeOf(end - lines.length), writer: 'bench', sequence: segments });
    const compressed = gzipSync(lines.join(''), { level: 1 });
    writeFileSync(join(folder, encodeURIComponent(name)), compressed);
    [segments, bytes, lines, size] = [segments + 1, bytes + compressed.length, [], 0];
  };
  for (let index = 0; index < messages; index += 1) {
    const line = toLine(messageOf(index), timeOf(index));
    if (size + line.length > maxSegmentBytes) close(index);
    lines.push(line);
    size += line.length;
  }
  close(messages);
  return { folder, segments, bytes, remove: () => rm(folder, { recursive: true }) };
}

function messageOf(index: number): OutgoingMessage {
  // Consecutive messages have different keys, and each key has its turn: this has no common factor with their number.
  const key = (index * 7_919) % keys;
  return buildMessage({
    cluster,
    function: functions[key % functions.length] ?? '',
    resource: resources.claim,
    key: { namespace: `team-${key % 200}`, name: `claim-${key}` },
    cause: { uid: uidOf(key), resourceVersion: String(1_000 + index), type: 'update' },
    time: timeOf(index),
  });
}

function uidOf(key: number): string {
  const digits = hash('sha256', String(key));
  return `${digits.slice(0, 8)}-${digits.slice(8, 12)}-4${digits.slice(13, 16)}-8${digits.slice(17, 20)}-${digits.slice(20, 32)}`;
}
