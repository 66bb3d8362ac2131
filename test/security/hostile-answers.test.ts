import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { SQSEvent } from 'aws-lambda';
import { clustersFor } from '../../lib/compose/serve.ts';
import { Clusters } from '../../lib/kubernetes/clusters.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { nameOf, resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { Runtime } from '../../lib/reconcile/handler-runtime.ts';
import { createHandler } from '../../lib/reconcile/serve.ts';
import { MemoryBudget } from '../../lib/runtime/memory/budget.ts';
import { selfSignedCertificate } from '../../tools/control-plane/certificate.ts';
import { countTo, key, now } from '../lib/reconcile/fake-step.ts';
import { claim } from '../support/builders.ts';
import { patient } from '../support/patience.ts';

/** What the API server of one cluster answers is for the messages of that cluster to bear. */

const certificate = selfSignedCertificate();
const megabyte = 1024 * 1024;

type Answer = (url: string, outgoing: ServerResponse) => void;

/** API servers by name, which answer what they are told to, and the handlers of a process that calls them. */
class Stage {
  readonly asked = new Map<string, string[]>();
  readonly written: string[] = [];
  readonly lines: string[] = [];
  private readonly servers: Server[] = [];
  private readonly names: string[] = [];
  private folder = '';

  async begin(): Promise<void> {
    this.folder = await mkdtemp(join(tmpdir(), 'longshore-answers-'));
  }

  async end(): Promise<void> {
    for (const server of this.servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(this.folder, { recursive: true, force: true });
  }

  async serve(name: string, answer: Answer): Promise<string> {
    const asked: string[] = [];
    this.asked.set(name, asked);
    this.names.push(name);
    const server = createServer(certificate, (incoming, outgoing) => {
      const { method, url = '' } = incoming;
      asked.push(`${method} ${url}`);
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        if (method === 'PATCH') this.written.push(`${url} ${Buffer.concat(chunks)}`);
        answer(url, outgoing);
      });
    });
    this.servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const kubeconfig = {
      'current-context': name,
      contexts: [{ name, context: { cluster: name, user: name } }],
      clusters: [
        {
          name,
          cluster: {
            server: address,
            'certificate-authority-data': Buffer.from(certificate.cert).toString('base64'),
          },
        },
      ],
      users: [{ name, user: { token: 'token' } }],
    };
    await writeFile(join(this.folder, name), JSON.stringify(kubeconfig));
    return address;
  }

  runtime(): Runtime {
    const access = (name: string) => ({ type: 'kubeconfig' as const, from: `file:${join(this.folder, name)}` });
    const memory = new MemoryBudget(512);
    return {
      cluster: clustersFor(
        new Clusters(
          this.names.map((name) => ({ name, access: access(name) })),
          'count',
          memory,
          { answerTimeoutMs: patient(60_000) },
        ),
      ),
      memory,
      forgetCredentials: () => {},
      postpone: async () => {},
      maxReceives: 8,
      log: {
        info: () => {},
        error: (message, fields) => void this.lines.push(`${message} ${fields?.reason} ${fields?.error}`),
        measure: () => {},
      },
      now,
    };
  }
}

function batch(clusters: readonly string[], receiveCount = 1): SQSEvent {
  const Records = clusters.map((cluster, index) => {
    const cause = { uid: 'u', resourceVersion: '1', type: 'add' as const };
    const { body } = buildMessage({ cluster, function: 'count', resource: resources.claim, key, cause, time: now() });
    const attributes = { MessageGroupId: String(index), ApproximateReceiveCount: String(receiveCount) };
    return { messageId: `${cluster}-${index}`, receiptHandle: 'handle', body, attributes };
  });
  return { Records } as unknown as SQSEvent;
}

const failedIn = (answer: { batchItemFailures: { itemIdentifier: string }[] }) =>
  answer.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);

const good: Answer = (_, outgoing) => void outgoing.end(JSON.stringify(claim()));

let stage = new Stage();
beforeEach(async () => {
  stage = new Stage();
  await stage.begin();
});
afterEach(() => stage.end());

const hostile: [string, Answer][] = [
  ['an object of 60 MB', (_, outgoing) => void outgoing.end(`{"a":"${'x'.repeat(60 * megabyte)}"}`)],
  ['an object of nothing but values', (_, outgoing) => void outgoing.end(`{"a":[${'[],'.repeat(megabyte)}0]}`)],
  ['an object that is nested', (_, outgoing) => void outgoing.end('['.repeat(megabyte) + ']'.repeat(megabyte))],
  ['a refusal of 60 MB', (_, outgoing) => void outgoing.writeHead(500).end('x'.repeat(60 * megabyte))],
];

test.each(hostile)('%s fails its own message, which says so, and no other', async (_, answer) => {
  await stage.serve('theirs', answer);
  await stage.serve('main', good);
  const handle = createHandler(countTo(0), stage.runtime());
  const answered = await handle(batch(['theirs', 'theirs', 'main', 'theirs']));
  expect(failedIn(answered)).toEqual(['theirs-0', 'theirs-1', 'theirs-3']);
  expect(stage.lines).toEqual(
    Array(3).fill(expect.stringMatching(/^message failed Oversized .*(more than|too large)/)),
  );
});

test('what is too large beside the object itself is said on it when nothing is tried any more', async () => {
  await stage.serve('main', (url, outgoing) => {
    if (url.includes('/pods')) outgoing.end(`{"items":["${'x'.repeat(5 * megabyte)}"]}`);
    else outgoing.end(JSON.stringify(claim()));
  });
  const step = countTo(1, {
    read: async (cluster) => {
      const { namespace, name } = key;
      await cluster.list(resources.pod, namespace);
      return { claim: await cluster.get(nameOf(resources.claim, namespace, name)), reads: 1 };
    },
    decideFailed: (world, failure) => {
      if (world.claim?.metadata.annotations?.failure) return { do: 'reject', reason: 'Failed', message: failure };
      const { uid = '', resourceVersion = '' } = world.claim?.metadata ?? {};
      const object = nameOf(resources.claim, key.namespace, key.name);
      const body = { metadata: { annotations: { failure } } };
      return {
        do: 'write',
        write: { verb: 'patch', slot: 'claim', object, body, preconditions: { uid, resourceVersion } },
      };
    },
  });
  const handle = createHandler(step, stage.runtime());
  expect(failedIn(await handle(batch(['main'], 7)))).toEqual(['main-0']);
  expect(stage.written).toEqual([]);
  await handle(batch(['main'], 8));
  expect(stage.written[0]).toContain('has more than 4194304 bytes; given up after 8 attempts');
});

test('nothing more is read of pages without end once their batch has been answered for', async () => {
  let open = 0;
  await stage.serve('theirs', (_, outgoing) => {
    open += 1;
    outgoing.on('close', () => {
      open -= 1;
    });
    setTimeout(() => outgoing.end('{"metadata":{"continue":"more"},"items":[]}'), 5);
  });
  await stage.serve('main', good);
  const step = countTo(0, {
    read: async (cluster) => {
      if ((await cluster.get(nameOf(resources.claim, 'prod', 'data')))?.kind !== 'PersistentVolumeClaim')
        await cluster.list(resources.pod, 'prod');
      return { claim: undefined, reads: 0 };
    },
  });
  const runtime = stage.runtime();
  const handle = createHandler(step, runtime);
  const answered = await handle(batch(['theirs', 'main']), { getRemainingTimeInMillis: () => 3_600 });
  expect(failedIn(answered)).toEqual(['theirs-0']);
  while (open > 0) await new Promise((resolve) => setImmediate(resolve));
  const before = stage.asked.get('theirs')?.length;
  expect(before).toBeGreaterThan(2);
  for (let calls = 0; calls < 50; calls += 1) await handle(batch(['main']));
  // The one that was on its way when the batch was answered for may still come in.
  expect(stage.asked.get('theirs')?.length).toBeLessThanOrEqual((before ?? 0) + 1);
});

describe('a call is not waited for longer than a call may take', () => {
  const callTimeoutMs = 300;
  const drip: Answer = (_, outgoing) => {
    outgoing.writeHead(200).write('{"a":"');
    const timer = setInterval(() => outgoing.write('x'), 20);
    outgoing.on('close', () => clearInterval(timer));
  };

  test('when its answer comes drop by drop', async () => {
    const server = await stage.serve('theirs', drip);
    const connection = new Connection({ server, certificateAuthority: certificate.cert }, { callTimeoutMs });
    const calling = connection.send({ method: 'GET', path: '/api' });
    await expect(calling).rejects.toMatchObject({ class: 'unreachable', message: expect.stringContaining('too long') });
    connection.close();
  });

  test('but while it waits for memory its time stands still, and the server is not held to be silent', async () => {
    const server = await stage.serve('main', (_, outgoing) => void outgoing.end(`"${'x'.repeat(megabyte / 2)}"`));
    const budget = new MemoryBudget(512);
    const [first, second] = [await budget.share(), await budget.share()];
    const held = first.hold();
    await held.resize(budget.sizes.turn);
    const options = { callTimeoutMs, answerTimeoutMs: callTimeoutMs };
    const connection = new Connection({ server, certificateAuthority: certificate.cert }, options);
    await second.hold().resize(budget.sizes.own);
    const calling = connection.send({ method: 'GET', path: '/api', share: second });
    const others = { server, certificateAuthority: certificate.cert };
    const slow = new Connection(others, { callTimeoutMs });
    for (let calls = 0; calls < 4; calls += 1) {
      await stage
        .serve(`drip-${calls}`, drip)
        .then((address) =>
          new Connection({ ...others, server: address }, { callTimeoutMs })
            .send({ method: 'GET', path: '/api' })
            .catch(() => undefined),
        );
    }
    slow.close();
    held.release();
    expect((await calling).body).toHaveLength(megabyte / 2 + 2);
    connection.close();
  });
});
