import { readFile } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { resources } from '../../lib/kubernetes/resources.ts';
import { fixtures, targets } from '../fuzz/fixtures.ts';
import { StandInApi } from '../fuzz/stand-in-api.ts';
import { bucketClass, content, driver } from '../lib/capabilities/buckets/bucket-stages.ts';
import { Attack, attacked, batchOf, forwarderMegabytes, megabytes, stepTimeoutMs } from '../memory/attack.ts';
import { GoodApi } from '../memory/good-api.ts';
import { hostileInputs } from '../memory/hostile-inputs.ts';
import { MemoryLimit } from '../memory/memory-limit.ts';
import { isSoak } from '../support/soak.ts';

/** The functions as they are deployed, each with as much memory as it has, and killed if it takes more. */

const whyNot = await MemoryLimit.whyNot();
if (whyNot !== undefined) console.warn(whyNot);
const limited = whyNot === undefined ? describe : describe.skip;

/** The table of all inputs and all functions takes some minutes: the soak tries it, and so does `npm run bench -- memory`. */
const quick = ['60 MB of `[],`', '45 objects of 1.33 MB', 'an answer without end'];
const inputs = hostileInputs.filter(({ name }) => isSoak || quick.includes(name));
/** Those that hold most at a time: lists of everything, and what is around a claim. */
const largest = ['forward', 'resync', 'sweep-buckets', 'match-claim', 'populate-claim'];
const tried = isSoak ? attacked : largest;

/** Of which the sweep keeps thirty seconds for telling what it has found. */
const sweepMs = 150_000;

const attack = new Attack();
const servers: Server[] = [];
beforeAll(() => (whyNot === undefined ? attack.start() : undefined));
afterAll(async () => {
  if (whyNot === undefined) await attack.stop();
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
  }
});

test('the memory that is tried is what the functions are given', async () => {
  const { provider, params } = parse(await readFile(new URL('../../serverless.yml', import.meta.url), 'utf8'), {
    logLevel: 'silent',
  });
  expect(provider.memorySize).toBe(megabytes);
  expect(params.default['forward-memory-megabytes']).toBe(forwarderMegabytes);
});

limited('with an API server in hostile hands among its clusters', () => {
  test.each(tried)('%s is not killed, and serves the others', async (name) => {
    for (const input of inputs) {
      const { wasKilled, wasServed, log } = await attack.run(name, input);
      expect({ input: input.name, wasKilled, wasServed, log: wasServed ? '' : log }).toEqual({
        input: input.name,
        wasKilled: false,
        wasServed: true,
        log: '',
      });
    }
  });
});

async function addressOf(store: Server): Promise<string> {
  servers.push(store);
  await new Promise<void>((resolve) => store.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(store.address() as AddressInfo).port}`;
}

limited('with a store of one cluster in hostile hands', () => {
  const uid = 'a'.repeat(32);
  const names = [...Array(22_000).keys()].map((at) => `${'x'.repeat(90)}${at}-${uid}`);
  const buckets = names.map((name) => `<Bucket><Name>${name}</Name></Bucket>`).join('');
  const users = names.map((name) => `<member><UserName>${name}</UserName></member>`).join('');

  /** It lists things that could be ours, page after page, each as long as it may be. */
  const listing = (what: 'buckets' | 'users') => {
    let pages = 0;
    return createServer((incoming, outgoing) => {
      const chunks: Buffer[] = [];
      incoming.on('data', (chunk) => chunks.push(chunk));
      incoming.on('end', () => {
        pages += 1;
        const isOfUsers = Buffer.concat(chunks).includes('Action=ListUsers');
        outgoing.writeHead(200, { 'content-type': 'application/xml' });
        if (what === 'users' && isOfUsers) {
          const result = `<Users>${users}</Users><IsTruncated>true</IsTruncated><Marker>m${pages}</Marker>`;
          outgoing.end(`<ListUsersResponse><ListUsersResult>${result}</ListUsersResult></ListUsersResponse>`);
        } else if (what === 'buckets' && incoming.method === 'GET' && !incoming.url?.includes('tagging')) {
          const token = `<ContinuationToken>t${pages}</ContinuationToken>`;
          outgoing.end(`<ListAllMyBucketsResult><Buckets>${buckets}</Buckets>${token}</ListAllMyBucketsResult>`);
        } else outgoing.end('<ListAllMyBucketsResult/>');
      });
    });
  };

  test.each(['buckets', 'users'] as const)(
    'sweep-buckets is not killed by a store with %s without end',
    async (what) => {
      const endpoint = await addressOf(listing(what));
      const hostile = bucketClass({ metadata: { name: 'theirs' }, provisioner: driver, parameters: { endpoint } });
      const path = '/apis/cosi.io/v1alpha1/bucketclasses/theirs';
      const theirs = new GoodApi(new Map([...fixtures, [path, hostile]]));
      const good = new GoodApi(fixtures);
      for (const each of [theirs, good]) await each.start();
      const lambda = await attack.lambda('sweep-buckets', {
        theirs: await attack.kubeconfig('theirs', theirs.kubeconfig()),
        main: await attack.kubeconfig('main', good.kubeconfig()),
      });
      try {
        const invoked = await lambda.invoke({}, sweepMs);
        expect({ wasKilled: lambda.wasKilled, log: lambda.wasKilled ? lambda.log : '' }).toEqual({
          wasKilled: false,
          log: '',
        });
        const { problems = [] } = (invoked?.answer ?? {}) as { problems?: string[] };
        expect(problems).toEqual(expect.arrayContaining([expect.stringMatching(/could not be read.*memory/)]));
        const told = good.asked.filter(({ method, url }) => method !== 'GET' && url.includes('configmaps'));
        expect(told.length).toBeGreaterThan(0);
      } finally {
        await lambda.stop();
        for (const each of [theirs, good]) each.stop();
      }
    },
  );
});

limited('with a store in hostile hands', () => {
  const block = '<Contents><Key>x</Key></Contents>'.repeat(20_000);
  const endless = (outgoing: ServerResponse) => {
    const go = () => {
      while (!outgoing.destroyed && outgoing.write(block)) {}
    };
    outgoing.on('drain', go);
    go();
  };

  test.each([200, 403])('provision-bucket is not killed by answers of status %d without end', async (status) => {
    const store = createServer((incoming, outgoing) => {
      incoming.resume();
      endless(outgoing.writeHead(status, { 'content-type': 'application/xml' }));
    });
    const endpoint = await addressOf(store);
    const contents = [...Array(9).keys()].map((at) =>
      content({
        metadata: { name: `content-${at}`, uid: `uid-content-${at}` },
        spec: { provisioner: driver, parameters: { endpoint } },
      }),
    );
    const path = '/apis/cosi.io/v1alpha1/bucketcontents';
    const cluster = new StandInApi(
      new Map([...fixtures, ...contents.map((each) => [`${path}/${each.metadata.name}`, each] as const)]),
    );
    await cluster.start();
    const lambda = await attack.lambda('provision-bucket', {
      main: await attack.kubeconfig('main', cluster.kubeconfig()),
    });
    try {
      const target = targets['provision-bucket'] ?? { resource: resources.bucketContent, name: '' };
      const names = [...contents.map(({ metadata }) => metadata.name), target.name];
      const messages = names.map((name) => ({ ...target, name, messageId: name, cluster: 'main' }));
      const invoked = await lambda.invoke(batchOf('provision-bucket', messages), stepTimeoutMs);
      expect(lambda.wasKilled).toBe(false);
      // What a store does not do is tried again; what is wrong with the class of the tenth has been said.
      const told = cluster.asked.filter(({ method }) => method === 'PATCH').map(({ url }) => url);
      for (const name of names) expect(told).toContain(`${path}/${name}/status`);
      expect(invoked?.answer).toBeDefined();
    } finally {
      await lambda.stop();
      cluster.stop();
    }
  });
});
