import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { notesOf, released } from './changelog.ts';
import { pack } from './pack.ts';
import { compareVersions, isVersion } from './version.ts';

export interface ReleaseOptions {
  /** The folder of the repository. */
  root: string;
  version: string;
  date: Date;
  isDryRun?: boolean;
  /** Where the files will be downloaded from (see `pack`). */
  downloads?: string | undefined;
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
 * Makes a release of what is committed: version, changelog, commit, tag, packages and checksums. It does not publish
 * anything; that is done by pushing the tag. All conditions are checked before the first change.
 */
export function release(options: ReleaseOptions): Released {
  const { root, version, date, isDryRun = false, downloads, progress = () => {} } = options;
  const git = (...given: string[]) => execFileSync('git', given, { cwd: root, encoding: 'utf8' }).trim();
  const tag = `v${version}`;
  const { name, version: current } = manifestIn(root);
  check(version, current, git);
  const changelog = released(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version, date);
  const notes = notesOf(changelog, version);
  if (isDryRun) return { tag, notes, files: [] };
  writeFileSync(join(root, 'CHANGELOG.md'), changelog);
  for (const file of ['package.json', 'package-lock.json']) setVersion(join(root, file), version);
  setImage(join(root, 'deployment/run-in-cluster.yaml'), version);
  git('commit', '--quiet', '--all', '--message', `chore: release ${version}`);
  git('tag', '--annotate', tag, '--message', `Longshore ${version}\n\n${notes}`);
  progress(`Committed and tagged ${tag}`);
  const files = pack({ root, name, version, downloads });
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

/** The name and the version in package.json. */
export function manifestIn(root: string): { name: string; version: string } {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { name: string; version: string };
}

/** The image is built from the package of the same version. */
function setImage(path: string, version: string): void {
  if (!existsSync(path)) return;
  const text = readFileSync(path, 'utf8');
  writeFileSync(path, text.replace(/(image: longshore:)\S+/, `$1${version}`));
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
