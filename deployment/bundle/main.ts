import { bundleFunctions } from './bundle.ts';

/** A larger function starts more slowly, so growth beyond this is meant to be noticed. */
const budgetBytes = 400_000;
/** Whoever calls object stores needs the SDK for them; the forwarder writes its archive to one, which a replay reads. */
const budgetBytesOf: Record<string, number> = {
  forward: 600_000,
  resync: 600_000,
  'provision-bucket': 600_000,
  replay: 600_000,
  'sweep-buckets': 600_000,
};

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);

const reports = await bundleFunctions();
console.log(`${'function'.padEnd(20)}${'minified'.padStart(10)}${'archive'.padStart(10)}   largest packages`);
for (const report of reports) {
  const packages = [...report.bytesByPackage]
    .slice(0, 4)
    .map(([name, bytes]) => `${name}${kilobytes(bytes).trimEnd()}`);
  const sizes = kilobytes(report.bytes) + kilobytes(report.archiveBytes);
  console.log(`${report.name.padEnd(20)}${sizes}   ${packages.join(', ').replaceAll(/ +/g, ' ')}`);
}
const budgetOf = (name: string): number => budgetBytesOf[name] ?? budgetBytes;
const tooLarge = reports.filter(({ name, bytes }) => bytes > budgetOf(name));
for (const report of tooLarge)
  console.error(`${report.name} is larger than its budget of${kilobytes(budgetOf(report.name))}`);
if (tooLarge.length > 0) process.exitCode = 1;
