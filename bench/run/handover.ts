import { startApiServer } from '../../tools/control-plane/api-server.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';
import { nowMs } from '../forward/clock.ts';
import { compared, median, type Result } from '../report.ts';
import { RunCommand } from './command.ts';
import type { RunSettings } from './settings.ts';

const budgets = { SIGTERM: 2_000, SIGKILL: 20_000 } as const;
type Signal = keyof typeof budgets;

/** From the end of the process that leads until the other one leads and has listed everything, with default settings. */
export async function handover(settings: RunSettings, progress: (line: string) => void): Promise<Result[]> {
  const server = await startApiServer(progress);
  const running = new Set<RunCommand>();
  const start = async () => {
    const run = await RunCommand.start({ kubeconfigPath: server.kubeconfigPath });
    running.add(run);
    return run;
  };
  try {
    await applyManifests(server.kubeconfigPath, progress);
    let leading = await start();
    await leading.untilForwarding();
    const results: Result[] = [];
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const times: number[] = [];
      for (let round = 0; round < settings.handovers; round += 1) {
        const next = await start();
        await next.untilWaiting();
        times.push(await timeOf(leading, next, signal));
        progress(`${signal}: ${Math.round(times.at(-1) ?? 0)} ms`);
        running.delete(leading);
        await leading.process.stop();
        leading = next;
      }
      results.push(...resultsOf(signal, times));
    }
    return results;
  } finally {
    await Promise.all([...running].map((run) => run.process.stop()));
    await server.stop();
  }
}

async function timeOf(leading: RunCommand, next: RunCommand, signal: Signal): Promise<number> {
  const at = nowMs();
  process.kill(leading.process.pid, signal);
  return (await next.untilForwarding()) - at;
}

function resultsOf(signal: Signal, times: number[]): Result[] {
  const what = `handover after ${signal}`;
  return [
    compared(`${what}, median`, median(times), 'ms', 'budget', budgets[signal]),
    compared(`${what}, worst`, Math.max(...times), 'ms', 'budget', budgets[signal]),
  ];
}
