import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
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
  const read = (name: string) => readFileSync(join(root, name), 'utf8');

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'longshore-release-'));
    const manifest = { name: 'example', version: '0.1.0' };
    writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
    writeFileSync(join(root, 'package-lock.json'), JSON.stringify({ ...manifest, packages: { '': manifest } }));
    writeFileSync(join(root, 'CHANGELOG.md'), changelog);
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
    expect(files).toEqual(['.release/example-0.2.0.tgz', '.release/SHA256SUMS']);
    const sum = createHash('sha256')
      .update(readFileSync(join(root, '.release/example-0.2.0.tgz')))
      .digest('hex');
    expect(read('.release/SHA256SUMS')).toBe(`${sum}  example-0.2.0.tgz\n`);
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
