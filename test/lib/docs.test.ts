import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
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

/** Where a reason is given: to a function, in an object, in a constant, or in front of its message. */
const givers = [
  /\b(?:waitFor|reject|markStopped|refuse|new Refusal)\(\s*'([A-Z]\w+)'/g,
  /\b(?:note|warn|contradict|blocked|problem)\(\s*\w+,\s*'([A-Z]\w+)'/g,
  /\breason(?:: | = )'([A-Z]\w+)'/g,
  /\[\s*'([A-Z]\w+)',\s*[`a-z]/g,
];

/** What the driver answers, and which reason that is. */
const translations = /\bconst reasons\b[^{]*\{([^}]*)\}/g;

/** Whatever stands in the sources where a reason is given. */
function reasonsIn(folder: string): string[] {
  const files = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const source = files
    .filter((name) => name.endsWith('.ts'))
    .map((name) => read(join(folder, name)))
    .join('\n');
  const given = givers.flatMap((giver) => [...source.matchAll(giver)].map(([, reason = '']) => reason));
  const translated = [...source.matchAll(translations)].flatMap(([, list = '']) =>
    [...list.matchAll(/: '([A-Z]\w+)'/g)].map(([, reason = '']) => reason),
  );
  return [...new Set([...given, ...translated])].sort();
}

/** Whose documents explain the reasons of which capability. */
const capabilities = [
  {
    name: 'a transfer',
    folder: 'lib/capabilities/transfers',
    documents: ['docs/transfers'],
    some: ['AwaitingDeletion', 'Complete', 'RequestGone', 'RolledBack', 'SourceVanished', 'VolumeResizing'],
  },
  {
    name: 'a bucket',
    folder: 'lib/capabilities/buckets',
    documents: ['docs/bucket'],
    some: [
      'BucketLost',
      'ClassNotFound',
      'CredentialsLost',
      'DriverNameTaken',
      'DriverSecretMissing',
      'Malformed',
      'NotEmpty',
      'SecretExistsTimeout',
      'SecretRepaired',
      'StoreUnavailable',
    ],
  },
  {
    name: 'a data source',
    folder: 'lib/capabilities/data-sources',
    documents: ['docs/snapshots', 'docs/data-sources'],
    some: ['ClaimTooSmall', 'IgnoredByProvisioner', 'NotGranted', 'Populated', 'Restored', 'SnapshotsOff'],
  },
];

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

describe.each(capabilities)('each reason that $name can give', ({ folder, documents: prefixes, some }) => {
  const docs = documents
    .filter((name) => prefixes.some((prefix) => name.startsWith(prefix)))
    .map(read)
    .join('\n');
  const reasons = reasonsIn(folder);

  test('is found here', () => {
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
