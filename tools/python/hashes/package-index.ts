import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const headers = { accept: 'application/vnd.pypi.simple.v1+json, text/html;q=0.5' };

/** A file of a package, and its checksum. */
export interface PackageFile {
  filename: string;
  hashes: { sha256?: string };
}

export type PackageIndex = (packageName: string) => Promise<PackageFile[]>;

/** The index that pip itself is configured to use here: no index is hard-coded. */
export async function indexOf(python: string): Promise<PackageIndex> {
  const ask = async (...given: string[]) => (await run(python, given)).stdout.trim();
  const configured = await ask('-m', 'pip', 'config', 'get', 'global.index-url').catch(() => '');
  const address =
    process.env.PIP_INDEX_URL ||
    configured ||
    (await ask('-c', 'from pip._internal.models.index import PyPI; print(PyPI.simple_url)'));
  return async (packageName) => {
    const answer = await fetch(`${address.replace(/\/$/, '')}/${packageName}/`, { headers });
    if (!answer.ok) throw new Error(`the package index answered ${answer.status} about ${packageName}`);
    return filesIn(await answer.text());
  };
}

/** Not every index supports the format that is requested first. */
export function filesIn(answer: string): PackageFile[] {
  if (answer.trimStart().startsWith('{')) return (JSON.parse(answer) as { files: PackageFile[] }).files;
  const links = answer.matchAll(/#sha256=([0-9a-f]{64})"[^>]*>\s*([^<\s]+)\s*<\/a>/g);
  return [...links].map(([, sha256 = '', filename = '']) => ({ filename, hashes: { sha256 } }));
}
