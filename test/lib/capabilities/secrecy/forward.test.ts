import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Forwarder } from '../../../../lib/forwarder/forwarder.ts';
import type { Api, RawAnswer, Stream } from '../../../../lib/kubernetes/connection.ts';
import { Outbox } from '../../../../lib/queue/outbox.ts';
import { consoleLog } from '../../../../lib/runtime/log.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';
import { marked, secret, secretsIn } from './marks.ts';

const plain = {
  apiVersion: 'v1',
  kind: 'Any',
  metadata: { namespace: 'prod', name: 'any', uid: 'u', resourceVersion: '5' },
};
const annotations = { transferRequest: secret, 'kubectl.kubernetes.io/last-applied-configuration': secret };
const object = marked({ ...plain, metadata: { ...plain.metadata, annotations }, spec: { any: secret } });
const list = JSON.stringify({ metadata: { resourceVersion: '5' }, items: [object] });
const headers = `Authorization: Bearer ${secret}`;
const refusal = (code: number) => ({ kind: 'Status', message: `no: ${headers}`, reason: 'Forbidden', code });

/** What an answer is made of, the right one first. */
const lists: RawAnswer[] = [
  { status: 200, body: Buffer.from(list) },
  { status: 200, body: Buffer.from(list.slice(0, list.indexOf(secret) + secret.length)) },
  { status: 200, body: Buffer.from(`${secret}${list}`) },
  { status: 502, body: Buffer.from(`Bad Gateway: GET /api\n${headers}`) },
  ...[401, 403, 410, 429, 500].map((code) => ({ status: code, body: Buffer.from(JSON.stringify(refusal(code))) })),
];
const events = [
  `${JSON.stringify({ type: 'ADDED', object })}\n`,
  `${JSON.stringify({ type: 'ERROR', object: refusal(500) })}\n`,
  `${JSON.stringify({ type: 'ADDED', object }).slice(0, 200)}\n`,
  `${secret}\n`,
];

/** Answers whatever it is asked by the next of these, over and over. */
function talkative(answers: readonly number[]): Api {
  let asked = 0;
  const next = () => answers[asked++ % answers.length] ?? 0;
  const sendForBytes = async () => lists[next() % lists.length] ?? { status: 200, body: Buffer.from(list) };
  async function* told(count: number): AsyncGenerator<Buffer> {
    for (let index = 0; index < count; index += 1) yield Buffer.from(events[next() % events.length] ?? '');
  }
  return {
    sendForBytes,
    send: async () => {
      const { status, body } = await sendForBytes();
      return { status, body: body.toString('utf8') };
    },
    open: async (): Promise<Stream> => {
      const { status, body } = await sendForBytes();
      const pieces = status === 200 ? told(4) : (async function* () {})();
      return Object.assign(
        status === 200
          ? pieces
          : (async function* () {
              yield body;
            })(),
        { statusCode: status },
      );
    },
  };
}

test('whatever a cluster answers to the forwarder, no secret is in its log', async () => {
  let lines = 0;
  const answers = fc.array(fc.nat(50), { minLength: 1, maxLength: 12 });
  const property = fc.asyncProperty(answers, async (each) => {
    const told: string[] = [];
    const abort = new AbortController();
    const write = (line: string) => {
      told.push(line);
      if (told.length > 20) abort.abort();
    };
    const log = consoleLog({ function: 'forward' }, { level: 'debug', write });
    const outbox = new Outbox({
      send: async () => [],
      clock: hurriedClock,
      onFailure: (error) => write(String(error)),
    });
    const forwarder = new Forwarder({ cluster: 'main', api: talkative(each), outbox, log, clock: hurriedClock });
    await forwarder
      .run(AbortSignal.any([abort.signal, AbortSignal.timeout(50)]))
      .catch((error) => write(String(error)));
    lines += told.length;
    expect(told.flatMap(secretsIn)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 60 });
  expect(lines).toBeGreaterThan(60);
});
