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
/** How long a process works before it is killed: one that never gets beyond its start can do nothing. */
const minPauseMs = 200;
const maxPauseMs = 1_200;
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
  const failures: string[] = [];
  const move = () => moveClaim(plane.client()).catch((error) => void failures.push(String(error)));
  await Promise.all([start(), start()]);
  for (let kill = 0; kill < kills; kill += 1) {
    const victim = await leader();
    moving.push(...Array.from({ length: transfersAKill }, move));
    await pause(minPauseMs + Math.random() * (maxPauseMs - minPauseMs));
    expect(await victim.end('SIGKILL')).toBe('SIGKILL');
    processes = processes.filter((each) => each !== victim);
    await start();
    expect(failures).toEqual([]);
  }
  await Promise.all(moving);
  expect(failures).toEqual([]);
});
