import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const made = new Map<string, Promise<string>>();
/** Packages that are not ES modules call this function. */
const banner = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);";

/** All forwarders are measured as one module each: production does not read and strip hundreds of sources either. */
export function bundled(program: string): Promise<string> {
  const known = made.get(program);
  if (known) return known;
  const path = `${root}.build/bench/${basename(program, '.ts')}.mjs`;
  const making = build({
    entryPoints: [program],
    outfile: path,
    bundle: true,
    logLevel: 'silent',
    platform: 'node',
    target: 'node24',
    format: 'esm',
    minify: true,
    legalComments: 'none',
    banner: { js: banner },
  }).then(() => path);
  made.set(program, making);
  return making;
}

/** The flags of Node with which `npm run longshore` starts it. */
export function ownFlags(): string[] {
  const { scripts } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { scripts: Record<string, string> };
  return (scripts.longshore ?? '').split(' ').filter((word) => word.startsWith('--'));
}
