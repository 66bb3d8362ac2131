import { isBuiltin } from 'node:module';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, type Metafile } from 'esbuild';
import { type Built, installed, keptBuild } from '../bundle/kept-build.ts';
import { moduleOptions } from '../bundle/module-options.ts';
import { leanMap } from '../bundle/source-map.ts';

export interface CommandBundle {
  /** The modules, with the source map of each, by their names in one folder. */
  files: ReadonlyMap<string, Uint8Array>;
  /** What is bundled, relative to the repository. */
  inputs: readonly string[];
}

export const repository = fileURLToPath(new URL('../..', import.meta.url));
/** The module that the published commands run. */
export const entryName = 'longshore.mjs';
const requireOfNode = "import{createRequire as _cr}from'node:module';const require=_cr(import.meta.url);";

/** With these, and what is read of the packages, everything is the same. */
const deciding = ['cli', 'lib', 'deployment', ...installed];

/**
 * `longshore` as modules without dependencies. What only one command needs is loaded with that command. What is bundled
 * already is not bundled again.
 */
export async function bundleCommand(): Promise<CommandBundle> {
  const all = deciding.map((path) => join(repository, path));
  const cache = join(repository, 'node_modules/.cache/command');
  const { files, inputs } = await keptBuild({ root: repository, all, cache }, bundle);
  return { files: new Map(files), inputs };
}

async function bundle(): Promise<Built<{ files: [string, Uint8Array][]; inputs: string[] }>> {
  const result = await build({
    // The licenses of what is bundled are in one file, with the whole texts.
    ...moduleOptions,
    absWorkingDir: repository,
    entryPoints: { longshore: fileURLToPath(new URL('./entry.ts', import.meta.url)) },
    outdir: 'dist',
    target: 'node20',
    // commander is published as CommonJS alone, and asks for modules of Node by `require`.
    banner: { js: requireOfNode },
  });
  const files = result.outputFiles.map(({ path, contents, text }): [string, Uint8Array] => {
    if (path.endsWith('.map')) return [basename(path), Buffer.from(leanMap(text))];
    const isEntry = basename(path) === entryName;
    return [basename(path), isEntry ? Buffer.from(`#!/usr/bin/env node\n${text}`) : contents];
  });
  refuseOthers(result.metafile);
  const inputs = Object.keys(result.metafile.inputs);
  return { result: { files, inputs }, inputs };
}

/** Where the command is installed there is nothing but the bundle. */
function refuseOthers({ outputs }: Metafile): void {
  const imports = Object.values(outputs).flatMap((output) => output.imports);
  const other = imports.find(({ path, external }) => external && !isBuiltin(path));
  if (other) throw new Error(`the bundle of the command needs ${other.path}, which is not in it`);
}
