import type { BuildOptions } from 'esbuild';

/** How the functions and the command are bundled alike: small ES modules for Node, kept in memory, with maps beside them. */
export const moduleOptions = {
  chunkNames: '[name]-[hash]',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  splitting: true,
  write: false,
  metafile: true,
  logLevel: 'silent',
  platform: 'node',
  format: 'esm',
  minify: true,
  sourcemap: 'external',
  // Positions suffice: the reader of a stack trace has the sources.
  sourcesContent: false,
  legalComments: 'none',
  // Packages that are also published as ES modules are bundled as such: only those can be tree-shaken.
  mainFields: ['module', 'main'],
} satisfies BuildOptions;
