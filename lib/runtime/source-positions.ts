import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Where in the sources a line of a stack leads that is in a bundle. The map beside the bundle is read when the first such line
 * is told, and not when a function starts, as `node --enable-source-maps` would: most runs make no mistake.
 */
export function inSources(frame: string): string {
  const [, indent, file, line, column] = inBundle.exec(frame) ?? [];
  if (file === undefined || !file.startsWith(besideUs)) return frame;
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return frame;
  // Names in a bundle are short for something else, so none is better. Sources are named as seen from the bundle's folder.
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  return `${indent}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

const inBundle = /^(\s+at (?:async )?)(?:.*\()?(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)\)?$/;
/** A stack names what files it likes; ours are where this one is, once it is in a bundle. */
const besideUs = new URL('.', import.meta.url).href;
const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Whoever runs a bundle without its map still gets the stack as it is. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
