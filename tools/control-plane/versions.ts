import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The only file with versions is tools/go.mod. */
export const goModule = fileURLToPath(new URL('../go.mod', import.meta.url));

export interface Versions {
  kubernetes: string;
  etcd: string;
}

export function readVersions(text = readFileSync(goModule, 'utf8')): Versions {
  return { kubernetes: required(text, 'k8s.io/kubernetes'), etcd: required(text, 'go.etcd.io/etcd/server/v3') };
}

/** The version that a Kubernetes program reports, such as v1.36.3. */
export async function versionOf(path: string): Promise<string> {
  const { stdout } = await run(path, ['--version']);
  const version = /v\d+\.\d+\.\d+\S*/.exec(stdout)?.[0];
  if (!version) throw new Error(`${path} --version does not name a version: ${stdout.trim()}`);
  return version;
}

export function minorOf(version: string): string {
  return version.split('.').slice(0, 2).join('.');
}

function required(text: string, path: string): string {
  const version = new RegExp(`^\\s*${path.replaceAll('.', '\\.')} (v\\S+)`, 'm').exec(text)?.[1];
  if (!version) throw new Error(`tools/go.mod does not require ${path}`);
  return version;
}
