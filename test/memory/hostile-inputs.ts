import { setTimeout as pause } from 'node:timers/promises';

export interface About {
  isList: boolean;
  /** How many objects of a list are asked for. */
  limit: number;
}

export interface HostileInput {
  name: string;
  status?: number;
  /** The bytes with which a call is answered that an honest server would answer with this object, or a list of such. */
  answer(object: string, about: About): AsyncIterable<Buffer> | Iterable<Buffer>;
}

const megabyte = 1024 * 1024;
const text = Buffer.alloc(megabyte, 'x');
/** What is no Latin letter makes a text of two bytes each in memory. */
const wide = Buffer.from('ж'.repeat(megabyte / 2));
const brackets = Buffer.from('[],'.repeat(megabyte / 3));
const objects = Buffer.from(Array.from({ length: megabyte / 16 }, (_, at) => `{"k${at}":{}},`).join(''));
const open = Buffer.alloc(megabyte, '[');
const close = Buffer.alloc(megabyte, ']');

type Filler = (bytes: number) => Iterable<Buffer>;

function* times(block: Buffer, bytes: number): Iterable<Buffer> {
  for (let left = bytes; left > 0; left -= block.length) yield left < block.length ? trimmed(block, left) : block;
}

/** No less than whole values of it. */
function trimmed(block: Buffer, bytes: number): Buffer {
  const end = block.indexOf(',', bytes);
  return end < 0 ? block.subarray(0, bytes) : block.subarray(0, end + 1);
}

const fillers: Record<'text' | 'wide' | 'brackets' | 'objects' | 'nested', Filler> = {
  *text(bytes) {
    yield Buffer.from('"');
    yield* times(text, bytes);
    yield Buffer.from('"');
  },
  *wide(bytes) {
    yield Buffer.from('"ж');
    yield* times(wide, bytes);
    yield Buffer.from('"');
  },
  *brackets(bytes) {
    yield Buffer.from('[');
    yield* times(brackets, bytes);
    yield Buffer.from('0]');
  },
  *objects(bytes) {
    yield Buffer.from('[');
    yield* times(objects, bytes);
    yield Buffer.from('0]');
  },
  *nested(bytes) {
    yield* times(open, bytes / 2);
    yield* times(close, bytes / 2);
  },
};

/** The object with something in it that fills so many bytes: where it is kept whole, and where a projection looks. */
function* filled(object: string, filler: Filler, bytes: number): Iterable<Buffer> {
  const { metadata = {}, spec = {}, ...rest } = JSON.parse(object);
  const front = JSON.stringify({ ...rest, status: rest.status ?? {} }).slice(0, -1);
  yield Buffer.from(`${front},"metadata":${JSON.stringify(metadata).slice(0, -1)},"filler":`);
  yield* filler(bytes / 2);
  yield Buffer.from(`},"spec":${JSON.stringify({ ...spec, volumes: undefined, from: undefined }).slice(0, -1)}`);
  yield Buffer.from(`${Object.keys(spec).length === 0 ? '' : ','}"volumes":`);
  yield* filler(bytes / 4);
  yield Buffer.from(',"from":');
  yield* filler(bytes / 4);
  yield Buffer.from('}}');
}

function* oneOrList(object: string, filler: Filler, bytes: number, { isList }: About): Iterable<Buffer> {
  if (isList) yield Buffer.from('{"metadata":{"resourceVersion":"1"},"items":[');
  yield* filled(object, filler, bytes);
  if (isList) yield Buffer.from(']}');
}

/** As many of them as fit into one answer; and after each answer there is more. */
function* pagesWithout(end: boolean, object: string, each: number, { isList, limit }: About): Iterable<Buffer> {
  const more = end ? '' : ',"continue":"more"';
  if (isList) yield Buffer.from(`{"metadata":{"resourceVersion":"1"${more}},"items":[`);
  const count = isList ? Math.min(limit, 45) : 1;
  for (let at = 0; at < count; at += 1) {
    if (at > 0) yield Buffer.from(',');
    yield* filled(object, fillers.wide, each);
  }
  if (isList) yield Buffer.from(']}');
}

function large(name: string, filler: Filler, megabytes: number): HostileInput {
  return { name, answer: (object, about) => oneOrList(object, filler, megabytes * megabyte, about) };
}

export const hostileInputs: readonly HostileInput[] = [
  large('60 MB of text', fillers.text, 60),
  large('60 MB of `[],`', fillers.brackets, 60),
  large('60 MB nested', fillers.nested, 60),
  large('30 MB of text', fillers.wide, 30),
  large('20 MB of `[],`', fillers.brackets, 20),
  large('2.8 MB of text', fillers.wide, 2.8),
  large('2.8 MB of `[],`', fillers.brackets, 2.8),
  large('0.5 MB of objects', fillers.objects, 0.5),
  large('2.8 MB nested', fillers.nested, 2.8),
  {
    name: '45 objects of 1.33 MB',
    answer: (object, about) => pagesWithout(true, object, 1.33 * megabyte, about),
  },
  { name: 'pages without end', answer: (object, about) => pagesWithout(false, object, 50_000, about) },
  {
    name: 'an answer without end',
    *answer() {
      yield Buffer.from('{"items":[');
      for (;;) yield brackets;
    },
  },
  {
    name: 'a drip',
    async *answer(object) {
      yield Buffer.from(object.slice(0, -1));
      for (;;) {
        yield Buffer.from(' ');
        await pause(50);
      }
    },
  },
  {
    name: 'an error of 60 MB',
    status: 500,
    *answer() {
      yield Buffer.from('{"kind":"Status","message":"');
      yield* times(wide, 60 * megabyte);
      yield Buffer.from('"}');
    },
  },
];
