import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { NothingToRelease, notesOf, released } from '../../../tools/release/changelog.ts';
import { ReleaseRefused, release } from '../../../tools/release/release.ts';
import { compareVersions, isVersion } from '../../../tools/release/version.ts';

const date = new Date('2026-11-19T23:59:59Z');
const changelog = '# Changelog\n\n## Unreleased\n\n### Added\n\n- Move claims.\n\n## 0.1.0 - 2026-01-02\n\n- Begin.\n';

describe('a changelog', () => {
  test('gives what is unreleased a version and a date, and begins anew', () => {
    expect(released(changelog, '0.2.0', date)).toBe(
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-11-19\n\n### Added\n\n- Move claims.\n\n## 0.1.0 - 2026-01-02\n\n- Begin.\n',
    );
  });

  test('gives the notes of one version alone', () => {
    expect(notesOf(changelog, '0.1.0')).toBe('- Begin.');
    expect(notesOf(released(changelog, '0.2.0', date), '0.2.0')).toBe('### Added\n\n- Move claims.');
    expect(() => notesOf(changelog, '0.3.0')).toThrow(NothingToRelease);
  });

  test.each([
    ['nothing is unreleased', '# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-02\n\n- Begin.\n', 'has no entry'],
    ['there is no such section', '# Changelog\n', 'has no section "## Unreleased"'],
    ['the version is there already', `${changelog}\n## 0.2.0 - 2026-01-03\n`, 'has a section 0.2.0 already'],
  ])('is refused where %s', (_situation, text, message) => {
    expect(() => released(text, '0.2.0', date)).toThrow(message);
  });
});

test('versions are compared as numbers', () => {
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
  expect(compareVersions('1.0.0', '1.0.0')).toBe(0);
  expect(compareVersions('0.1.9', '0.2.0')).toBeLessThan(0);
  expect(['1.2.3', '01.2.3', '1.2', 'v1.2.3', '1.2.3-rc.1'].filter(isVersion)).toEqual(['1.2.3']);
});

describe('a release', () => {
  let root = '';
  const git = (...given: string[]) => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).trim();
  const sumOf = (name: string) =>
    createHash('sha256')
      .update(readFileSync(join(root, '.release', name)))
      .digest('hex');
  const read = (name: string) => readFileSync(join(root, name), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'longshore-release-'));
    const scripts = { package: 'npm pack --pack-destination .release' };
    const manifest = { name: 'example', version: '0.1.0', scripts };
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ ...manifest, packages: { '': manifest } }));
    writeFileSync(join(root, 'CHANGELOG.md'), changelog);
    mkdirSync(join(root, 'deployment'));
    writeFileSync(join(root, 'deployment/run-in-cluster.yaml'), '          image: longshore:0.1.0\n');
    writeFileSync(join(root, '.gitignore'), '.release/\n');
    git('init', '--quiet');
    git('config', 'user.name', 'somebody');
    git('config', 'user.email', 'somebody@example.com');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'first');
    git('tag', 'v0.1.0');
  });

  afterEach(() => rmSync(root, { recursive: true }));

  test('commits the version and the changelog, tags them, and packs with a checksum', () => {
    const { tag, notes, files } = release({ root, version: '0.2.0', date });
    expect({ tag, notes }).toEqual({ tag: 'v0.2.0', notes: '### Added\n\n- Move claims.' });
    expect(git('log', '-1', '--format=%s')).toBe('chore: release 0.2.0');
    expect(git('rev-parse', 'v0.2.0^{commit}')).toBe(git('rev-parse', 'HEAD'));
    expect(git('status', '--porcelain')).toBe('');
    expect(JSON.parse(read('package.json'))).toMatchObject({ version: '0.2.0' });
    expect(JSON.parse(read('package-lock.json'))).toMatchObject({ packages: { '': { version: '0.2.0' } } });
    expect(read('deployment/run-in-cluster.yaml')).toBe('          image: longshore:0.2.0\n');
    const packed = ['example-0.2.0-sources.tar.gz', 'example-0.2.0.tgz'];
    expect(files).toEqual([...packed, 'SHA256SUMS'].map((name) => `.release/${name}`));
    expect(read('.release/SHA256SUMS')).toBe(packed.map((name) => `${sumOf(name)}  ${name}\n`).join(''));
    const names = execFileSync('tar', ['-tzf', join(root, '.release', packed[0] ?? '')], { encoding: 'utf8' });
    expect(names.split('\n')).toContain('example-0.2.0/CHANGELOG.md');
  });

  test('has a manifest for krew with the checksum, if it is known where the files will be', () => {
    const downloads = 'https://downloads.example.com/v0.2.0/';
    const { files } = release({ root, version: '0.2.0', date, downloads });
    expect(files).toContain('.release/example.yaml');
    const { spec } = parse(read('.release/example.yaml'));
    expect(spec.version).toBe('v0.2.0');
    expect(spec.platforms).toEqual([
      {
        selector: { matchExpressions: [{ key: 'os', operator: 'In', values: ['darwin', 'linux'] }] },
        uri: 'https://downloads.example.com/v0.2.0/example-0.2.0.tgz',
        sha256: sumOf('example-0.2.0.tgz'),
        bin: 'package/dist/longshore.mjs',
      },
    ]);
    expect(read('.release/SHA256SUMS')).toContain(`${sumOf('example.yaml')}  example.yaml\n`);
  });

  test('changes nothing in a dry run', () => {
    const before = git('rev-parse', 'HEAD');
    expect(release({ root, version: '0.2.0', date, isDryRun: true })).toMatchObject({ tag: 'v0.2.0', files: [] });
    expect([git('rev-parse', 'HEAD'), git('status', '--porcelain'), git('tag')]).toEqual([before, '', 'v0.1.0']);
  });

  test.each([
    ['0.1.0', 'is not later than 0.1.0'],
    ['0.0.9', 'is not later than 0.1.0'],
    ['1.0', 'must be like 1.2.3'],
  ])('%s is refused, and nothing is changed', (version, message) => {
    expect(() => release({ root, version, date })).toThrow(ReleaseRefused);
    expect(() => release({ root, version, date })).toThrow(message);
    expect(git('status', '--porcelain')).toBe('');
  });

  test('is refused where something is not committed', () => {
    writeFileSync(join(root, 'new.txt'), 'new');
    expect(() => release({ root, version: '0.2.0', date })).toThrow('?? new.txt');
    expect(git('tag')).toBe('v0.1.0');
  });
});
