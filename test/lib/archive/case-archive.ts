import { gzipSync } from 'node:zlib';
import { SegmentedArchive, type SegmentedArchiveOptions } from '../../../lib/archive/segmented-archive.ts';
import { FakeClock } from './fake-clock.ts';
import { type Answer, FakeSegments, messageOf } from './fake-segments.ts';

/** An archive with a store and a clock that do what a test says. Compression takes no time unless it is told to. */
export function archiveWith(answers: Answer[] = [], options: Partial<SegmentedArchiveOptions> = {}) {
  const clock = new FakeClock();
  const store = new FakeSegments();
  store.answers = answers;
  const errors: string[] = [];
  const infos: string[] = [];
  const log = {
    info: (message: string) => infos.push(message),
    error: (message: string, fields: object = {}) => errors.push(`${message} ${JSON.stringify(fields)}`),
  };
  const compress = async (bytes: Buffer) => gzipSync(bytes);
  const archive = new SegmentedArchive({ cluster: 'main', store, clock, log, writer: 'one', compress, ...options });
  const written: string[] = [];
  const add = (body: string) => archive.add(messageOf(body), () => written.push(body));
  return { archive, clock, store, errors, infos, written, add };
}
