import { parseArgs } from 'node:util';
import { bucketBench } from './bucket.ts';
import { coldstart } from './coldstart.ts';
import { forward } from './forward/forward.ts';
import { journey } from './journey/journey.ts';
import { memory } from './memory.ts';
import { neighbour } from './neighbour/neighbour.ts';
import { replay } from './replay/replay.ts';
import { print, type Report } from './report.ts';
import { run } from './run/run.ts';
import { snapshotBench } from './snapshot.ts';
import { transfer } from './transfer.ts';

const benchmarks: Record<string, (progress: (line: string) => void) => Promise<Report>> = {
  coldstart,
  transfer,
  bucket: bucketBench,
  snapshot: snapshotBench,
  forward,
  replay,
  neighbour,
  run,
  journey,
  memory,
};

const { values, positionals } = parseArgs({ options: { json: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.find((name) => !Object.hasOwn(benchmarks, name));
if (unknown !== undefined) {
  console.error(`there is no benchmark ${unknown}; there are: ${Object.keys(benchmarks).join(', ')}`);
  process.exit(2);
}

const names = positionals.length > 0 ? positionals : Object.keys(benchmarks);
for (const name of names) {
  // Progress is written to where it does not mix with the figures.
  const report = await benchmarks[name]?.((line) => console.error(line));
  if (report) print(report, values.json === true);
}
