import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { readPage } from './page.ts';

const root = new URL('../../', import.meta.url);
const text = readPage();

/** Each table of the page whose last column says what shows a claim. */
const rows = text.split('\n\n').flatMap((part) => {
  const [head = '', , ...lines] = part.split('\n');
  return /\| shown by +\|$/.test(head) ? lines.filter((line) => line.startsWith('|')) : [];
});

const references = rows.flatMap((row) =>
  [...row.matchAll(/`(test\/[\w./-]+)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({ file, title })),
);

describe('docs/security.md', () => {
  test('has a test for each claim', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter((row) => !/`test\/[\w./-]+\.test\.ts` "[^"]+"/.test(row))).toEqual([]);
    // Whatever is quoted there is one of the references below.
    expect(rows.join('\n').match(/`test\/[^`]*`/g)).toHaveLength(references.length);
  });

  test.each(references)('names a test that is there: $title', ({ file, title }) => {
    const path = new URL(file, root);
    expect([file, existsSync(path)]).toEqual([file, true]);
    expect(readFileSync(path, 'utf8').replaceAll(/\\(['"`])/g, '$1')).toContain(title);
  });
});
