import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { reasonLists } from '../../tools/generate/reason-tables.ts';
import { mutants } from '../simulation/capabilities.ts';
import { filesMadeBy } from '../tools/contributing/page.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md')),
];

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Whose documents explain the reasons of which list. */
const explained: Record<string, string[]> = {
  transfers: ['docs/transfers'],
  'data-sources': ['docs/snapshots', 'docs/data-sources'],
  buckets: ['docs/bucket'],
  'bucket-requests': ['docs/bucket-requests'],
};

/** How GitHub names the place of a heading. */
function anchorsOf(text: string): string[] {
  const headings = text.replaceAll(/^```[\s\S]*?^```/gm, '').matchAll(/^#+ (.*)$/gm);
  return [...headings].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(Object.entries(reasonLists))('each reason of %s is explained', (name, { reasons }) => {
  const docs = documents
    .filter((document) => explained[name]?.some((prefix) => document.startsWith(prefix)))
    .map(read)
    .join('\n');
  expect(docs.length).toBeGreaterThan(0);
  expect(Object.keys(reasons).filter((reason) => !docs.includes(`\`${reason}\``))).toEqual([]);
});

describe.each(documents)('%s', (name) => {
  const text = read(name);

  test('leads only to what is there', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    const broken = links.filter((link) => {
      if (link.startsWith('http')) return false;
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? name : join(name, '..', path);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(read(target)).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test('names only files and mutants that are there', () => {
    const files = [...text.matchAll(/`((?:lib|functions|test|tools|manifests|docs|events)\/[\w./-]+\.\w+)`/g)];
    const made = new Set(name.startsWith('docs/contributing/') ? filesMadeBy(basename(name)) : []);
    const there = (file: string) => made.has(file) || existsSync(join(root, file));
    expect(files.map(([, file = '']) => file).filter((file) => !there(file))).toEqual([]);
    const names = mutants.map((mutant) => mutant.name);
    const lists = text.replaceAll(/\s+/g, ' ').matchAll(/mutants? ((?:`[\w-]+`(?:,? and |, )?)+)/g);
    const named = [...lists].flatMap(([, list = '']) =>
      [...list.matchAll(/`([\w-]+)`/g)].map(([, mutant = '']) => mutant),
    );
    expect(named.filter((mutant) => !names.includes(mutant))).toEqual([]);
  });
});

describe('the index of decisions', () => {
  const index = read('docs/decisions/README.md');
  const files = readdirSync(join(root, 'docs/decisions')).filter((name) => /^\d{4}-/.test(name));

  test.each(files)('has %s with its title, date and status', (file) => {
    const [title = ''] = read(`docs/decisions/${file}`).split('\n');
    const named = `| [${title.slice('# '.length)}](${file})`;
    const row = index.split('\n').find((line) => line.startsWith(named));
    expect(row).toMatch(/\| \d{4}-\d{2}-\d{2} \| (accepted|superseded by .+) \|$/);
  });

  test('numbers decisions without gaps', () => {
    expect(files.map((name) => Number(name.slice(0, 4)))).toEqual(files.map((_, index) => index + 1));
  });
});

test('every document is in the index by reader', () => {
  const index = read('docs/README.md');
  const others = documents.filter(
    (name) => /^docs\/((walkthroughs|contributing)\/)?[\w-]+\.md$/.test(name) && name !== 'docs/README.md',
  );
  const missing = others.filter(
    (name) => !index.includes(`](${name.slice('docs/'.length)})`) && name !== 'docs/tour.md',
  );
  expect(missing).toEqual([]);
});

test('the README stays short', () => {
  expect(read('README.md').trimEnd().split('\n').length).toBeLessThanOrEqual(120);
});

test('the two pictures differ in their colours alone', () => {
  const [light, dark] = ['light', 'dark'].map((theme) =>
    read(`docs/pictures/overview-${theme}.svg`).replaceAll(/#[0-9a-f]{6}/g, '#'),
  );
  expect(light).toBe(dark);
});
