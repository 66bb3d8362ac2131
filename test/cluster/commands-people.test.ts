import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { identity, startAws } from '../cli/dead-letters/case-aws.ts';
import { until } from '../support/patience.ts';
import { longshoreOnTerminal } from '../support/pseudo-terminal.ts';
import { lengthOf } from '../support/soak.ts';
import { callOf } from './case-commands.ts';
import { clusterOfPeople, mishaps, type Person, people } from './case-people.ts';
import { ofClusters } from './case-people-clusters.ts';
import { ofDeployments } from './case-people-deployments.ts';
import { expectCell, expectFits } from './case-people-judge.ts';
import { ofNamespaces } from './case-people-namespaces.ts';
import { cellFor } from './case-people-rows.ts';
import { forwarderHasRun, makeScene, namesIn } from './case-people-scene.ts';
import { waiting } from './case-people-waiting.ts';

/**
 * Every command as everybody who types it, on one cluster: first without Longshore, as whoever takes the wrong context
 * finds one, and then as `longshore install` leaves it. One test after the other.
 */

const cluster = clusterOfPeople();
const rows = [...ofClusters, ...ofNamespaces];
/** Those that ask a cluster. */
const asking = rows.filter(({ name }) => name !== 'explain');
const columns = 60;
/** Those that report what they find, also that nothing can be found. */
const reports = /^(?:check|status)/;
const each = <T extends { name: string }>(all: readonly T[]) => all.map((row) => [row.name, row] as const);

let aws: Awaited<ReturnType<typeof startAws>>;
beforeAll(async () => {
  aws = await startAws(['match-transfer', 'match-approval', 'rebind-volume'], ['main']);
});
afterAll(() => aws.stop());
const onAws = () => ({ environment: aws.environment });

describe('in a cluster without Longshore', () => {
  test.each(each(rows))('%s says so to an administrator', async (_, row) => {
    expectCell(await cluster.run('cluster-admin', row.words('cluster-admin')), row.elsewhere);
  });

  test.each(each(ofDeployments))('%s says that it is another cluster', async (_, row) => {
    expectCell(await cluster.run('cluster-admin', row.words('cluster-admin'), onAws()), row.elsewhere);
  });

  test('nothing has been written', async () => {
    expect(await namesIn(cluster.api(), 'team-a')).toEqual([]);
  });
});

describe.each(mishaps)('with a kubeconfig that is %s', (mishap) => {
  const said = {
    refused:
      'the API server at https://127.0.0.1:9 cannot be reached: nothing answers at that address. Check the context',
    unauthorized: 'the API server does not accept the credentials, which may have expired: log in again, or ask',
    'other-authority': 'its certificate is not of the authority that the kubeconfig names. It may be another cluster',
    'other-name': 'https://cluster.invalid:6443 cannot be reached: its name ',
  }[mishap];

  test.each(each(asking))('%s says what is wrong once', async (name, row) => {
    const end = await cluster.run(mishap, row.words('admin'));
    expectCell(end, [reports.test(name) ? 3 : 1, said]);
    expect(`${end.out}${end.err}`.split(said)).toHaveLength(2);
  });

  test('demo -o json says it in a document as well', async () => {
    const { code, out } = await cluster.run(mishap, ['demo', '-o', 'json']);
    expect([code, JSON.parse(out)]).toEqual([1, expect.objectContaining({ error: expect.stringContaining(said) })]);
  });
});

const again = 'stopping\nstopped before the end: run the same command again to complete it\n';

test.each([
  ['install', [], again],
  ['uninstall', [], again],
  ['status', ['--watch', '--timeout', '300s'], 'stopped before the server has answered\n'],
])('%s %j is interrupted at once where the server does not answer', async (command, more, err) => {
  const { kubeconfig, asked, stop } = await cluster.silent();
  const words = [command, ...more, '--kubeconfig', kubeconfig];
  const end = await cluster.run('admin', words, { interruptAfter: asked });
  stop();
  expect(end).toEqual({ code: 130, out: '', err });
});

test.each(each(lengthOf({ gate: rows.filter(({ name }) => name === 'move'), soak: asking })))(
  '%s is ended at once by Ctrl-C where the server does not answer',
  async (_, row) => {
    const { kubeconfig, asked, stop } = await cluster.silent();
    const call = callOf(kubeconfig, ...row.words('admin'));
    await asked;
    call.interrupt();
    // What has nothing to put in order is ended by the signal itself, which a shell calls 130.
    expect([130, 'SIGINT']).toContain(await call.code());
    expect([call.out, call.err.replace(again, '')]).toEqual(['', '']);
    stop();
  },
);

test('demo -o json answers with a document where the kubeconfig cannot be read', async () => {
  const { code, out, err } = await cluster.run('admin', ['demo', '-o', 'json', '--kubeconfig', '/nowhere']);
  const said = 'the kubeconfig /nowhere cannot be read: ';
  expect([code, err]).toEqual([1, expect.stringContaining(said)]);
  expect(JSON.parse(out)).toEqual({ error: expect.stringContaining(said), findings: [], parts: [], left: [] });
});

describe('after longshore install', () => {
  beforeAll(async () => {
    expectCell(await cluster.run('cluster-admin', ['install', '--yes']), [0, 'Installed: all CRDs are served']);
    await makeScene(cluster.api());
    // A controller of the cluster adds the roles up.
    const isAdded = async () => (await cluster.run('admin', ['bucket', 'get', '-n', 'team-a'])).code === 0;
    await until('the rights to be added to admin', isAdded);
  });

  describe.each(people)('as %s', (person) => {
    test.each(each(rows))('%s', async (_, row) => {
      const end = await cluster.run(person, row.words(person), { columns });
      expectFits(end, columns);
      expectCell(end, cellFor(row, person));
    });
  });

  test('what was refused has left nothing behind', async () => {
    const before = [
      'claims/offered',
      'claims/cancelled',
      'requests/cancelled',
      'approvals/cancelled',
      'buckets/deleted',
    ];
    const names = await namesIn(cluster.api(), 'team-a');
    for (const person of ['view', 'nobody']) {
      const found = names.filter((name) => name.endsWith(`-${person}`));
      expect(found.filter((name) => !before.some((one) => name.includes(one)))).toEqual([]);
      expect(found).toHaveLength(before.length);
    }
  });

  test.each(each(waiting))('%s is interrupted in good order', async (_, row) => {
    const end = await cluster.run('admin', row.words('admin'), { interruptAfter: Promise.resolve() });
    expectCell(end, cellFor(row, 'admin'));
  });

  test.each(each(lengthOf({ gate: rows.filter(({ name }) => name === 'why'), soak: rows })))(
    '%s fits on a real terminal',
    async (_, row) => {
      for (const person of lengthOf<readonly Person[]>({ gate: ['view'], soak: people })) {
        expectFits(await longshoreOnTerminal(columns, row.words(person), cluster.kubeconfig(person)), columns);
      }
    },
  );

  describe('and a forwarder of a deployment', () => {
    beforeAll(() => forwarderHasRun(cluster.api(), `forward.${identity}`, 'main'));

    describe.each(people)('as %s', (person) => {
      test.each(each(ofDeployments))('%s', async (_, row) => {
        const end = await cluster.run(person, row.words(person), { ...onAws(), columns });
        expectFits(end, columns);
        expectCell(end, cellFor(row, person));
      });
    });
  });
});
