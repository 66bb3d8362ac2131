import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { pack } from './pack.ts';
import { manifestIn, release } from './release.ts';

const usage = `usage: npm run release -- <version> [--dry-run] [--downloads <url>]
       npm run release -- --pack [--downloads <url>]

Commits and tags a version, such as 0.2.0, and packs it into .release/. It publishes nothing.

  --dry-run           show the notes and change nothing
  --pack              only pack the version in package.json
  --downloads <url>   where the files will be downloaded from: adds the manifest for krew`;

try {
  const { values, positionals } = parseArgs({
    options: {
      'dry-run': { type: 'boolean', default: false },
      pack: { type: 'boolean', default: false },
      downloads: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
    allowPositionals: true,
  });
  const { 'dry-run': isDryRun, downloads } = values;
  const [version, ...others] = positionals;
  const root = fileURLToPath(new URL('../..', import.meta.url));
  if (values.help) {
    console.log(usage);
  } else if (values.pack && version === undefined && !isDryRun) {
    for (const file of pack({ root, ...manifestIn(root), downloads })) console.log(file);
  } else if (values.pack || version === undefined || others.length > 0) {
    console.error(usage);
    process.exitCode = 2;
  } else {
    const progress = (line: string) => console.log(line);
    const { tag, notes } = release({ root, version, date: new Date(), isDryRun, downloads, progress });
    console.log(`\n${notes}\n`);
    console.log(isDryRun ? `${tag} was not made: this was a dry run` : `To publish it: git push --follow-tags`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
