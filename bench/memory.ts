import { Attack, attacked, megabytes, megabytesOf } from '../test/memory/attack.ts';
import { hostileInputs } from '../test/memory/hostile-inputs.ts';
import { MemoryLimit } from '../test/memory/memory-limit.ts';
import { compared, type Report, type Result } from './report.ts';

/**
 * Measures the maximum memory of each function under each hostile input, in a process with the function's memory limit.
 */
export async function memory(progress: (line: string) => void): Promise<Report> {
  const whyNot = await MemoryLimit.whyNot();
  const conditions = { node: process.version, limit: `${megabytes} MB` };
  if (whyNot !== undefined) {
    progress(whyNot);
    return { name: 'memory', conditions, results: [] };
  }
  const attack = new Attack();
  await attack.start();
  const results: Result[] = [];
  try {
    for (const name of attacked) {
      for (const input of hostileInputs) {
        const { wasKilled, wasServed, peakBytes } = await attack.run(name, input);
        const fate = wasKilled ? ', killed' : wasServed ? '' : ', others not served';
        const of = `${name}: ${input.name}${fate}`;
        progress(of);
        results.push(compared(of, peakBytes / 1e6, 'MB', 'limit', (megabytesOf(name) * 1024 * 1024) / 1e6));
      }
    }
  } finally {
    await attack.stop();
  }
  return { name: 'memory', conditions, results };
}
