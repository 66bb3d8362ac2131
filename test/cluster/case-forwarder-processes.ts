import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { forwardedFunctions } from '../../lib/capabilities/all-capabilities.ts';
import { compileCache } from '../../tools/processes/compile-cache.ts';
import { freePort } from '../../tools/processes/free-port.ts';
import { type KeptProcess, startKept, tailOf } from '../../tools/processes/kept-process.ts';
import { defaultWaitMs } from '../support/patience.ts';

export const clusterName = 'main';
export const identity = 'killed';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
/** All to which something is forwarded. */
/** The shortest that there is: whoever is killed leaves the lease to its end. */
const leaseSeconds = '5';
const pollMs = 20;
const askMs = 1_000;

interface Running {
  name: string;
  kept: KeptProcess;
  metrics: string;
  logPath: string;
}

export interface Surroundings {
  kubeconfigPath: string;
  queueAddress: string;
}

/** Processes of `longshore forward`, of which one leads and the others stand by. */
export class ForwarderProcesses {
  kills = 0;
  private readonly surroundings: Surroundings;
  private running: Running[] = [];
  private started = 0;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
  }

  async start(): Promise<void> {
    this.started += 1;
    const name = `process${this.started}`;
    const folder = mkdtempSync(join(tmpdir(), 'longshore-forwarder-'));
    const logPath = join(folder, 'log');
    const metrics = `127.0.0.1:${await freePort()}`;
    const args = [main, 'forward', '--metrics', metrics, '--lease-seconds', leaseSeconds];
    const environment = this.environmentOf(name);
    const kept = startKept({ command: process.execPath, args, environment, folder, logPath });
    this.running.push({ name, kept, metrics, logPath });
  }

  /** The name of the process that leads, as soon as one does. */
  async leader(): Promise<string> {
    return (await this.untilLeading(() => true)).name;
  }

  /** Resolves when one leads that has listed everything. */
  async untilFollowing(): Promise<void> {
    await this.untilLeading(hasListed);
  }

  /** Resolves when one leads, and everything that it knows of is on the queue. */
  async untilIdle(): Promise<void> {
    const isIdle = (metrics: string) =>
      ['lag_seconds', 'waiting', 'in_flight'].every((name) => figureIn(metrics, name) === 0);
    await this.untilLeading((metrics) => hasListed(metrics) && isIdle(metrics));
  }

  /** Ends it as a crash does, and starts another one at once. */
  async kill(name: string): Promise<void> {
    const victim = this.running.find((each) => each.name === name);
    if (!victim) throw new Error(`${name} does not run`);
    this.running = this.running.filter((each) => each !== victim);
    await this.requireRunning(victim);
    this.kills += 1;
    // The keeper ends with SIGKILL whatever it keeps.
    await Promise.all([victim.kept.stop(), this.start()]);
  }

  async stop(): Promise<void> {
    await Promise.all(this.running.splice(0).map(({ kept }) => kept.stop()));
  }

  private async untilLeading(condition: (metrics: string) => boolean): Promise<Running> {
    const deadline = performance.now() + defaultWaitMs;
    for (;;) {
      if (this.running.length === 0) throw new Error('there is no process any more');
      for (const each of this.running) {
        const metrics = await ask(each);
        if (figureIn(metrics, 'leading') === 1 && condition(metrics)) return each;
        await this.requireRunning(each);
      }
      if (performance.now() > deadline) throw new Error(`no process does it:\n${await this.tails()}`);
      await pause(pollMs);
    }
  }

  private async requireRunning({ name, kept, logPath }: Running): Promise<void> {
    if (kept.ended() === undefined) return;
    throw new Error(`${name} ended by itself (${kept.ended()}):\n${await tailOf(logPath)}`);
  }

  private async tails(): Promise<string> {
    return (await Promise.all(this.running.map(({ logPath }) => tailOf(logPath)))).join('\n\n');
  }

  private environmentOf(name: string): Record<string, string> {
    const { kubeconfigPath, queueAddress } = this.surroundings;
    const access = { type: 'kubeconfig', from: `file:${kubeconfigPath}` };
    const queues = [...forwardedFunctions].map((each) => [each, `${queueAddress}/000000000000/${each}.fifo`]);
    return {
      ...compileCache(),
      LONGSHORE_FUNCTION: 'forward',
      LONGSHORE_IDENTITY: identity,
      LONGSHORE_CLUSTERS: JSON.stringify([{ name: clusterName, access }]),
      LONGSHORE_QUEUES: JSON.stringify(Object.fromEntries(queues)),
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: name,
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_ENDPOINT_URL_SQS: queueAddress,
    };
  }
}

async function ask({ metrics }: Running): Promise<string> {
  try {
    return await (await fetch(`http://${metrics}/metrics`, { signal: AbortSignal.timeout(askMs) })).text();
  } catch {
    // It is starting, or has just been killed.
    return '';
  }
}

function hasListed(metrics: string): boolean {
  return (figureIn(metrics, 'lists_total') ?? 0) > 0;
}

function figureIn(metrics: string, name: string): number | undefined {
  const value = new RegExp(`^longshore_forwarder_${name}\\{[^}]*\\} (.+)$`, 'm').exec(metrics)?.[1];
  return value === undefined ? undefined : Number(value);
}
