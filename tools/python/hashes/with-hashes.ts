import type { PackageFile, PackageIndex } from './package-index.ts';

const requirement = /^([a-z0-9-]+)==([0-9][0-9a-z.]*)(; .*?)?(?: \\)?$/;
/** The platforms of the tools: Linux with glibc, and macOS, on either processor. */
const platform = /^(any|manylinux.*_(x86_64|aarch64)|macosx.*_(x86_64|arm64|universal2))$/;
/**
 * Versions with their own ABI, from 3.10 on, the oldest supported one; packages with the stable ABI work with later
 * ones too.
 */
const ownAbi = /^cp31\d$/;

/** The same requirements, each with the checksums of the files that may be installed for it. */
export async function withHashes(text: string, index: PackageIndex): Promise<string> {
  const lines: string[] = [];
  for (const line of text.trimEnd().split('\n')) {
    if (/^\s+--hash=/.test(line)) continue;
    const [, name, version, marker = ''] = requirement.exec(line) ?? [];
    if (name === undefined || version === undefined) lines.push(line);
    else lines.push(`${name}==${version}${marker}`, ...(await hashesOf(name, version, index)));
  }
  return `${lines.map((line, place) => (isHash(lines[place + 1]) ? `${line} \\` : line)).join('\n')}\n`;
}

function isHash(line: string | undefined): boolean {
  return line?.startsWith('    --hash=') ?? false;
}

async function hashesOf(name: string, version: string, index: PackageIndex): Promise<string[]> {
  const files = (await index(name)).filter((file) => isUsable(file, version));
  const hashes = new Set(files.map(({ hashes: { sha256 } }) => sha256));
  if (hashes.size === 0 || hashes.has(undefined)) throw new Error(`${name} ${version} has no wheel with a checksum`);
  return [...hashes].toSorted().map((hash) => `    --hash=sha256:${hash}`);
}

/** Nothing is built from source: the build dependencies would be installed without a checksum. */
function isUsable({ filename }: PackageFile, version: string): boolean {
  if (!filename.endsWith('.whl')) return false;
  const [, fileVersion, ...tags] = filename.slice(0, -'.whl'.length).split('-');
  const [pythons = '', abi = '', platforms = ''] = tags.slice(-3);
  const isForPython = pythons.split('.').some((tag) => tag === 'py3' || ownAbi.test(tag) || abi === 'abi3');
  return fileVersion === version && isForPython && platforms.split('.').some((tag) => platform.test(tag));
}
