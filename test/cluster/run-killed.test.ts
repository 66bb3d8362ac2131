import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import { until } from '../support/patience.ts';
import { lengthOf } from '../support/soak.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { moveClaim, RunProcess } from './case-run-processes.ts';

const plane = ownControlPlane();
const { kills, transfersAKill } = lengthOf({
  gate: { kills: 3, transfersAKill: 3 },
  soak: { kills: 50, transfersAKill: 2 },
});
/** Longer than what comes before the first write, and shorter than a transfer takes. */
const maxPauseMs = 250;
const args = ['--cluster', 'main', '--capabilities', 'transfers', '--lease-seconds', '5'];
let processes: RunProcess[] = [];

afterEach(async () => {
  await Promise.all(processes.map((each) => each.end('SIGKILL')));
});

async function start(): Promise<void> {
  processes.push(await RunProcess.start(['--kubeconfig', plane.kubeconfig(), ...args]));
}

/** The process that holds the lease and has listed everything, as soon as one does. */
async function leader(): Promise<RunProcess> {
  let leading: RunProcess | undefined;
  const logs = () => processes.map(({ log }) => log).join('\n');
  await until(
    'a process forwards',
    async () => {
      const answers = await Promise.all(processes.map((each) => each.ask('/readyz')));
      leading = processes[answers.findIndex((answer) => answer?.text === 'main: forwarding\n')];
      return leading !== undefined;
    },
    { found: logs },
  );
  return leading as RunProcess;
}

test(`${kills * transfersAKill} transfers complete although the process that works is killed ${kills} times`, async () => {
  const moving: Promise<void>[] = [];
  await Promise.all([start(), start()]);
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = await leader();
    moving.push(...Array.from({ length: transfersAKill }, () => moveClaim(plane.client())));
    await pause(Math.random() * maxPauseMs);
    expect(await victim.end('SIGKILL')).toBe('SIGKILL');
    processes = processes.filter((each) => each !== victim);
    await start();
  }
  await Promise.all(moving);
});
