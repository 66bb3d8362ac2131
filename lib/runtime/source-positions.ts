import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Maps a stack frame in a bundle to its position in the sources. The source map beside the bundle is read for the first such
 * frame, and not when a function starts, as `node --enable-source-maps` would: most runs have no bug to report.
 */
export function toSourcePosition(frame: string): string {
  const [, indent, file, line, column] = bundleFrame.exec(frame) ?? [];
  if (file === undefined || !file.startsWith(ownFolder)) return frame;
  const entry = mapOf(file)?.findEntry(Number(line) - 1, Number(column) - 1);
  if (!entry || !('originalSource' in entry)) return frame;
  // Function names in a bundle are minified, so they are dropped. Sources are relative to the bundle's folder.
  const source = entry.originalSource.replace(/^(?:\.\.\/)+/, '');
  return `${indent}${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

const bundleFrame = /^(\s+at (?:async )?)(?:.*\()?(file:\/\/[^\s()]+\.mjs):(\d+):(\d+)\)?$/;
/** A stack can name any file; the bundle's files are where this one is, once bundled. */
const ownFolder = new URL('.', import.meta.url).href;
const maps = new Map<string, SourceMap | undefined>();

function mapOf(file: string): SourceMap | undefined {
  if (!maps.has(file)) maps.set(file, readMap(file));
  return maps.get(file);
}

/** Without a map, the stack stays as it is. */
function readMap(file: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${file}.map`), 'utf8')));
  } catch {
    return undefined;
  }
}
