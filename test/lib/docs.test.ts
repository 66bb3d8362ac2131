import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { mutants } from '../simulation/capabilities.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const documents = [
  'README.md',
  ...readdirSync(join(root, 'docs'), { recursive: true })
    .map((name) => `docs/${name}`)
    .filter((name) => name.endsWith('.md')),
];

function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Whatever stands in the sources where a reason is given. */
function reasonsIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const source = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join(folder, name)))
    .join('\n');
  const found = source.matchAll(
    /(?:\b(?:waitFor|reject|markStopped)\(\s*|\b(?:note|contradict)\(\s*\w+,\s*|\breason: )'([A-Z]\w+)'/g,
  );
  return [...new Set([...found].map(([, reason = '']) => reason))].sort();
}

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

describe('each reason that a transfer can give', () => {
  const docs = documents
    .filter((name) => name.startsWith('docs/transfers'))
    .map(read)
    .join('\n');
  const reasons = [...new Set(['lib/transfers', 'functions'].flatMap(reasonsIn))];

  test('is found here', () => {
    const some = ['AwaitingDeletion', 'Complete', 'RequestGone', 'RolledBack', 'SourceVanished', 'VolumeResizing'];
    expect(reasons).toEqual(expect.arrayContaining(some));
  });

  test('is explained', () => {
    expect(reasons.filter((reason) => !docs.includes(`\`${reason}\``))).toEqual([]);
  });
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
    expect(files.map(([, file = '']) => file).filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const names = mutants.map((mutant) => mutant.name);
    const lists = text.replaceAll(/\s+/g, ' ').matchAll(/mutants? ((?:`[\w-]+`(?:,? and |, )?)+)/g);
    const named = [...lists].flatMap(([, list = '']) =>
      [...list.matchAll(/`([\w-]+)`/g)].map(([, mutant = '']) => mutant),
    );
    expect(named.filter((mutant) => !names.includes(mutant))).toEqual([]);
  });
});
