import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { bundleFunctions } from '../deployment/bundle/bundle.ts';
import { compared, median, type Report, type Result, result } from './report.ts';

const run = promisify(execFile);
const rounds = 21;
const budgetBytes = 400_000;

/** Measures the size of each function's code at its start, and how long Node takes to start with it. */
export async function coldstart(progress: (line: string) => void): Promise<Report> {
  const bundles = await bundleFunctions();
  const times = new Map<string, number[]>([
    ['empty', []],
    ...bundles.map(({ name }) => [name, []] as [string, number[]]),
  ]);
  for (let round = 0; round < rounds; round += 1) {
    progress(`round ${round + 1} of ${rounds}`);
    // In turns, so that other load on the machine affects all alike.
    times.get('empty')?.push(await startMs(''));
    for (const { name, path } of bundles) times.get(name)?.push(await startMs(`await import(${JSON.stringify(path)})`));
  }
  const empty = median(times.get('empty') ?? []);
  const results: Result[] = bundles.flatMap(({ name, bytes }) => [
    compared(`${name}: at start`, bytes / 1000, 'KB', 'budget', budgetBytes / 1000),
    compared(`${name}: start`, median(times.get(name) ?? []), 'ms', 'empty Node start', empty),
  ]);
  return {
    name: 'coldstart',
    conditions: { node: process.version, rounds, figures: 'medians' },
    results: [result('empty Node start', empty, 'ms'), ...results],
  };
}

async function startMs(code: string): Promise<number> {
  const started = performance.now();
  await run(process.execPath, ['--input-type=module', '--eval', code]);
  return performance.now() - started;
}
