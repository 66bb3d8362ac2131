import { bundleFunctions } from './bundle.ts';

/** A function that loads more starts more slowly, so growth beyond this should be noticed. */
const budgetBytes = 400_000;

const kilobytes = (bytes: number): string => `${(bytes / 1000).toFixed(1)} KB`.padStart(10);

const reports = await bundleFunctions();
const heads = ['at start', 'later', 'archive'].map((head) => head.padStart(10)).join('');
console.log(`${'function'.padEnd(20)}${heads}   largest packages`);
for (const report of reports) {
  const packages = [...report.bytesByPackage]
    .slice(0, 4)
    .map(([name, bytes]) => `${name}${kilobytes(bytes).trimEnd()}`);
  const sizes = [report.bytes, report.laterBytes, report.archiveBytes].map(kilobytes).join('');
  console.log(`${report.name.padEnd(20)}${sizes}   ${packages.join(', ').replaceAll(/ +/g, ' ')}`);
}
const tooLarge = reports.filter(({ bytes }) => bytes > budgetBytes);
for (const { name } of tooLarge)
  console.error(`${name} loads more than its budget of${kilobytes(budgetBytes)} when it starts`);
if (tooLarge.length > 0) process.exitCode = 1;
