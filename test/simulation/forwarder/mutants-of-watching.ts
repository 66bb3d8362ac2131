import { UnfinishedObjects } from '../../../lib/forwarder/unfinished-objects.ts';
import type { Api, Call, Stream } from '../../../lib/kubernetes/connection.ts';
import type { Router } from '../../../lib/reconcile/routing.ts';
import { createRouter as createSoundRouter } from './kinds.ts';
import type { ForwarderMutant } from './mutant.ts';
import type { World } from './world.ts';

type Open = Api['open'];
type Surround = Pick<ForwarderMutant, 'surround'>;

const opening = (change: (open: Open, world: World) => Open): Surround => ({
  surround: (options, world) => {
    const { api } = options;
    const [send, sendForBytes] = [api.send.bind(api), api.sendForBytes.bind(api)];
    return { ...options, api: { send, sendForBytes, open: change(api.open.bind(api), world) } };
  },
});

const reading = (change: (chunks: Stream, call: Call, world: World) => AsyncIterable<Buffer>): Surround =>
  opening((open, world) => async (call, ...rest) => {
    const stream = await open(call, ...rest);
    if (stream.statusCode !== 200) return stream;
    const changed = change(stream, call, world);
    return { statusCode: 200, [Symbol.asyncIterator]: () => changed[Symbol.asyncIterator]() };
  });

const routing = (change: (router: Router) => Router): Surround => ({
  surround: ({ createRouter = createSoundRouter, ...options }) => ({
    ...options,
    createRouter: () => change(createRouter()),
  }),
});

async function* wholeLinesOf(stream: Stream): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of stream) {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop() ?? '';
    if (lines.length > 0) yield `${lines.join('\n')}\n`;
  }
}

const isReadable = (line: string) => {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
};

/** How a watch is read, by one that does it wrongly. */
export const watchingMutants: readonly ForwarderMutant[] = [
  {
    name: 'expired-goes-on-from-now',
    needs: ['expired versions', 'restarts'],
    ...opening((open, { state }) => async (call, ...rest) => {
      const stream = await open(call, ...rest);
      if (stream.statusCode !== 410) return stream;
      const path = call.path.replace(/resourceVersion=\d+/, `resourceVersion=${state.version}`);
      return open({ ...call, path }, ...rest);
    }),
  },
  {
    name: 'list-taken-for-whole',
    needs: ['cut watches'],
    // A list that breaks off counts as one that came to its end.
    ...reading(async function* (stream, { path }, { state }) {
      let isWhole = !path.includes('sendInitialEvents');
      try {
        for await (const lines of wholeLinesOf(stream)) {
          isWhole ||= lines.includes('initial-events-end');
          yield Buffer.from(lines);
        }
      } finally {
        const annotations = { 'k8s.io/initial-events-end': 'true' };
        const metadata = { resourceVersion: String(state.version), annotations };
        if (!isWhole) yield Buffer.from(`${JSON.stringify({ type: 'BOOKMARK', object: { metadata } })}\n`);
      }
    }),
  },
  {
    name: 'bad-lines-skipped',
    needs: ['garbled lines'],
    ...reading(async function* (stream) {
      for await (const lines of wholeLinesOf(stream)) {
        yield Buffer.from(
          lines
            .split('\n')
            .filter((line) => isReadable(line))
            .join('\n')
            .concat('\n'),
        );
      }
    }),
  },
  {
    name: 'cut-lines-dropped',
    // Of a line that comes in two pieces nothing is kept.
    ...reading(async function* (stream) {
      let isCut = false;
      for await (const chunk of stream) {
        const start = isCut ? chunk.indexOf('\n') + 1 : 0;
        const end = chunk.lastIndexOf('\n') + 1;
        isCut = end < chunk.length;
        yield chunk.subarray(start, Math.max(start, end));
      }
    }),
  },
  {
    name: 'gone-back-unseen',
    needs: ['restores'],
    surround: (options) => {
      const { api } = options;
      const sendForBytes: Api['sendForBytes'] = async (call, signal) => {
        const answer = await api.sendForBytes(call, signal);
        if (answer.status !== 200 || !call.path.endsWith('limit=1')) return answer;
        return { status: 200, body: Buffer.from('{"metadata":{"resourceVersion":"999999999999"}}') };
      };
      return { ...options, api: { send: api.send.bind(api), open: api.open.bind(api), sendForBytes } };
    },
  },
  {
    name: 'deletions-not-told',
    ...routing((router) => ({
      note: (change) => router.note(change),
      routesOf: (change) => (change.object.metadata.deletionTimestamp ? [] : router.routesOf(change)),
    })),
  },
  {
    name: 'waiting-not-told-after-a-list',
    needs: ['kills', 'expired versions'],
    // What a list finds unchanged is left to the next minute, as if it had just been told.
    replace: () => {
      const { note } = UnfinishedObjects.prototype;
      UnfinishedObjects.prototype.note = function (change, thing, nowMs) {
        note.call(this, change, thing, nowMs, 'now');
      };
      return () => {
        UnfinishedObjects.prototype.note = note;
      };
    },
  },
];
