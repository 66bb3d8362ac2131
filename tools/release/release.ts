import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf, released } from './changelog.ts';
import { compareVersions, isVersion } from './version.ts';

export interface ReleaseOptions {
  /** The folder of the repository. */
  root: string;
  version: string;
  date: Date;
  isDryRun?: boolean;
  progress?: (line: string) => void;
}

export interface Released {
  tag: string;
  notes: string;
  /** The files to publish, with their checksums beside them; none after a dry run. */
  files: string[];
}

/** Refused before anything was changed. */
export class ReleaseRefused extends Error {
  override name = 'ReleaseRefused';
}

/**
 * Makes a release of what is committed: version, changelog, commit, tag, package and checksums. It does not publish
 * anything; that is done by pushing the tag. All conditions are checked before the first change.
 */
export function release({ root, version, date, isDryRun = false, progress = () => {} }: ReleaseOptions): Released {
  const git = (...given: string[]) => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).trim();
  const tag = `v${version}`;
  const current = versionIn(root);
  check(version, current, git);
  const changelog = released(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date);
  const notes = notesOf(changelog, version);
  if (isDryRun) return { tag, notes, files: [] };
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  for (const file of ['package.json', 'package-lock.json']) setVersion(join(root, file), version);
  git('commit', '--quiet', '--all', '--message', `chore: release ${version}`);
  git('tag', '--annotate', tag, '--message', `Longshore ${version}\n\n${notes}`);
  progress(`Committed and tagged ${tag}`);
  const files = pack(root, version);
  progress(`Packed ${files.join(', ')}`);
  return { tag, notes, files };
}

function check(version: string, current: string, git: (...given: string[]) => string): void {
  if (!isVersion(version))
    throw new ReleaseRefused(`the version must be like 1.2.3, but is ${JSON.stringify(version)}`);
  // The version in package.json before the first release was never released.
  const isReleased = git('tag', '--list', `v${current}`) !== '';
  const least = compareVersions(version, current);
  if (least < 0 || (least === 0 && isReleased)) {
    throw new ReleaseRefused(`${version} is not later than ${current}, which package.json has`);
  }
  if (git('tag', '--list', `v${version}`) !== '') throw new ReleaseRefused(`there is a tag v${version} already`);
  const changes = git('status', '--porcelain');
  if (changes !== '') throw new ReleaseRefused(`there are changes that are not committed:\n${changes}`);
}

function versionIn(root: string): string {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  return version;
}

interface Manifest {
  version: string;
  /** In a lock file the entry of the package itself has an empty path. */
  packages?: Record<string, { version?: string }>;
}

function setVersion(path: string, version: string): void {
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as Manifest;
  manifest.version = version;
  const itself = manifest.packages?.[''];
  if (itself) itself.version = version;
  writeFileSync(path, `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** Puts the package and its checksum into `.release/`. */
function pack(root: string, version: string): string[] {
  const folder = join(root, '.release');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  const options = { cwd: root, encoding: 'utf8' } as const;
  const answer = execFileSync('npm', ['pack', '--json', '--pack-destination', '.release'], options);
  const file = /"filename":\s*"([^"]+)"/.exec(answer)?.[1];
  if (file === undefined) throw new Error(`npm pack did not report what it created for ${version}`);
  const sum = createHash('sha256')
    .update(readFileSync(join(folder, file)))
    .digest('hex');
  writeFileSync(join(folder, 'SHA256SUMS'), `${sum}  ${file}\n`);
  return [file, 'SHA256SUMS'].map((name) => join('.release', name));
}
