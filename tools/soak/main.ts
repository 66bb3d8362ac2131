import { spawnSync } from 'node:child_process';
import { runsOf } from './runs.ts';

/** `npm run soak`: every run is done, also after one that has failed. Options are passed on to jest. */
const failed: string[] = [];
for (const { title, args, environment } of runsOf(process.argv.slice(2), process.env)) {
  console.log(`\n${title}\n`);
  const { status } = spawnSync('npm', ['test', '--', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...environment },
  });
  if (status !== 0) failed.push(title);
}
if (failed.length > 0) {
  console.error(`failed: ${failed.join(', ')}`);
  process.exitCode = 1;
}
