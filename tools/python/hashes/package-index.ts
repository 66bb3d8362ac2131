import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A file of a package, and its checksum. */
export interface PackageFile {
  filename: string;
  hashes: { sha256?: string };
}

export type PackageIndex = (packageName: string) => Promise<PackageFile[]>;

/** What pip itself asks, as it is configured here: the index of nobody is written down anywhere. */
export async function indexOf(python: string): Promise<PackageIndex> {
  const ask = async (...given: string[]) => (await run(python, given)).stdout.trim();
  const configured = await ask('-m', 'pip', 'config', 'get', 'global.index-url').catch(() => '');
  const address =
    process.env.PIP_INDEX_URL ||
    configured ||
    (await ask('-c', 'from pip._internal.models.index import PyPI; print(PyPI.simple_url)'));
  return async (packageName) => {
    const headers = { accept: 'application/vnd.pypi.simple.v1+json' };
    const answer = await fetch(`${address.replace(/\/$/, '')}/${packageName}/`, { headers });
    if (!answer.ok) throw new Error(`the package index answered ${answer.status} about ${packageName}`);
    return ((await answer.json()) as { files: PackageFile[] }).files;
  };
}
