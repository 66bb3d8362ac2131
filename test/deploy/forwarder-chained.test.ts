import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from '@jest/globals';
import { ClusterClient, consent, makeTransfer, type Transfer, untilComplete } from '../support/cluster-client.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { until } from '../support/patience.ts';
import { lengthOf } from '../support/soak.ts';
import { type Sent, sentSince } from './case-forward-archive.ts';
import { alone, startRun, withTimeLimit } from './case-forward-function.ts';
import { type Run, readRuns } from './case-forward-runs.ts';

/** Of changes all the time. Each run has one of them; what comes at the end of the last one is for the run after it. */
const minutes = lengthOf({ gate: 1, soak: Number(process.env.LONGSHORE_CHAINED_MINUTES ?? 2) });
const limitSeconds = 60;
/** Between two transfers. */
const everyMs = 2_000;
/** In the second half there are more runs than those of the schedule, so that each finds another one at work. */
const extraEveryMs = 20_000;
const pollMs = 500;
/** A run's log is there when it is over, and the last one that is waited for may just have begun. */
const limitMs = 300_000;

const deployed = deployedStack();
const client = new ClusterClient(deployed.kubeconfigPath);

interface Consented {
  transfer: Transfer;
  at: Date;
}

afterAll(() => {
  deployed.sqs.destroy();
  deployed.lambda.destroy();
});

test('runs of a minute that follow one another, with gaps and with others beside them, lose nothing and send one at a time', async () => {
  await alone(deployed, () =>
    withTimeLimit(deployed, limitSeconds, async () => {
      const since = new Date();
      // All runs have been ended by now: this one is found by a list.
      const first = await makeConsented();
      await startRun(deployed);
      const consented = [first, ...(await changeSteadily())];
      for (const { transfer } of consented) await untilComplete(client, transfer);
      const runs = await untilLed(since, minutes);
      const leading = runs.flatMap(({ led }) => led ?? []);
      expect(runs.filter(({ outcome }) => outcome === undefined)).toEqual([]);
      // The first one takes over from a run that was ended. Each of the others finds a lease that was given away, which is
      // the last thing that its holder does: so no two have had it at once.
      expect(leading.slice(1).filter(({ after }) => after !== '')).toEqual([]);
      expect(consented.filter(({ at }) => isInGap(at, runs)).length).toBeGreaterThan(0);
      await expectSentOneAfterTheOther(since, consented);
    }),
  );
});

/** One transfer after the other, each in namespaces of its own. */
async function changeSteadily(): Promise<Consented[]> {
  const startedMs = performance.now();
  const [half, end] = [startedMs + minutes * 30_000, startedMs + minutes * 60_000];
  const consented: Consented[] = [];
  let nextExtra = half;
  while (performance.now() < end) {
    consented.push(await makeConsented());
    if (performance.now() > nextExtra) {
      await startRun(deployed);
      nextExtra += extraEveryMs;
    }
    await pause(everyMs);
  }
  return consented;
}

async function makeConsented(): Promise<Consented> {
  const transfer = await makeTransfer(client);
  await consent(client, transfer);
  return { transfer, at: new Date() };
}

async function untilLed(since: Date, count: number): Promise<Run[]> {
  let runs: Run[] = [];
  const areOver = async () => {
    runs = await readRuns(deployed, since);
    return runs.filter(({ led, outcome }) => led && outcome === 'led').length >= count;
  };
  await until(`${count} runs have led`, areOver, { limitMs, pollMs, found: () => runs });
  return runs;
}

/** Nobody led then: what was changed was found by the list with which the next run began. */
function isInGap(at: Date, runs: Run[]): boolean {
  const leading = runs.flatMap(({ led }) => led ?? []);
  const next = leading.findIndex(({ from }) => from > at);
  return next >= 0 && (next === 0 || at > (leading[next - 1]?.to ?? at));
}

/** What one run has sent comes before all that the next one has. */
async function expectSentOneAfterTheOther(since: Date, consented: Consented[]): Promise<void> {
  const writers = (await untilArchived(since, consented)).map(({ writer }) => writer);
  const turns = writers.filter((writer, index) => writer !== writers[index - 1]);
  expect(turns).toEqual([...new Set(writers)]);
  expect(turns.length).toBeGreaterThanOrEqual(minutes);
}

/** Resolves when each request is in the archive, which is written some seconds after the messages were sent. */
async function untilArchived(since: Date, consented: Consented[]): Promise<Sent[]> {
  const wanted = consented.map(({ transfer: { request } }) => {
    const { namespace, name } = request.metadata;
    return `/apis/${request.apiVersion}/namespaces/${namespace}/storagetransferrequests/${name}`;
  });
  let [sent, missing]: [Sent[], string[]] = [[], wanted];
  const areThere = async () => {
    sent = await sentSince(deployed, since);
    const subjects = new Set(sent.map(({ body }) => (JSON.parse(body) as { subject: string }).subject));
    missing = wanted.filter((subject) => !subjects.has(subject));
    return missing.length === 0;
  };
  await until('all requests are in the archive', areThere, { limitMs, pollMs, found: () => missing });
  return sent;
}
