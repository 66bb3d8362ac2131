import { readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npx node test/support/record-durations.ts results.json`: what jest's --json says of how long each file took. */
interface Results {
  testResults: { name: string; startTime: number; endTime: number }[];
}

/** What is shorter need not begin early. */
const minSeconds = 5;
const root = fileURLToPath(new URL('../../', import.meta.url));
const [path = ''] = process.argv.slice(2);
const { testResults } = JSON.parse(readFileSync(path, 'utf8')) as Results;
const all = testResults.map(({ name, startTime, endTime }): [string, number] => [
  // Recorded in another checkout, perhaps.
  relative(root, name).replace(/^.*?(?=test\/)/, ''),
  Math.round((endTime - startTime) / 1_000),
]);
const long = all.filter(([, seconds]) => seconds >= minSeconds).sort(([, one], [, other]) => other - one);
const target = new URL('./durations.json', import.meta.url);
writeFileSync(target, `${JSON.stringify(Object.fromEntries(long), null, 2)}\n`);
console.log(`${long.length} of ${all.length} files took ${minSeconds} s or longer`);
