import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { release } from './release.ts';

const usage =
  'usage: npm run release -- <version> [--dry-run]     such as 0.2.0; --dry-run shows the notes and changes nothing';

try {
  const { values, positionals } = parseArgs({
    options: { 'dry-run': { type: 'boolean', default: false }, help: { type: 'boolean', short: 'h', default: false } },
    allowPositionals: true,
  });
  const [version, ...others] = positionals;
  if (values.help) {
    console.log(usage);
  } else if (version === undefined || others.length > 0) {
    console.error(usage);
    process.exitCode = 2;
  } else {
    const root = fileURLToPath(new URL('../../', import.meta.url));
    const progress = (line: string) => console.log(line);
    const { tag, notes } = release({ root, version, date: new Date(), isDryRun: values['dry-run'], progress });
    console.log(`\n${notes}\n`);
    console.log(
      values['dry-run'] ? `${tag} was not made: this was a dry run` : `To publish it: git push --follow-tags`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
