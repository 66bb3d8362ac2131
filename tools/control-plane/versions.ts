import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** One folder for each minor version of Kubernetes that Longshore is tested on. The only files with versions are in them. */
const modules = fileURLToPath(new URL('../kubernetes', import.meta.url));
const variable = 'LONGSHORE_TEST_KUBERNETES';

type Environment = Record<string, string | undefined>;

export interface Versions {
  kubernetes: string;
  etcd: string;
}

/** The minor versions, such as 1.36, from the oldest to the newest. */
export const minors: readonly string[] = readdirSync(modules)
  .filter((name) => /^\d+\.\d+$/.test(name))
  .sort((one, other) => numberOf(one) - numberOf(other));
export const newestMinor = minors.at(-1) ?? '';

/** The go.mod of the minor version that is to be used: the newest, unless the environment names another one. */
export function goModule(environment: Environment = process.env): string {
  const asked = environment[variable] || newestMinor;
  if (!minors.includes(asked)) {
    throw new Error(`${variable} must be one of ${minors.join(', ')}, but is ${JSON.stringify(asked)}`);
  }
  return join(modules, asked, 'go.mod');
}

/** That of the newest one, for what does not depend on the server. */
export const newestGoModule = goModule({});

export function readVersions(environment?: Environment): Versions {
  return versionsIn(readFileSync(goModule(environment), 'utf8'));
}

export function versionsIn(text: string): Versions {
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
  if (!version) throw new Error(`go.mod does not require ${path}`);
  return version;
}

function numberOf(minor: string): number {
  return Number(minor.split('.')[1]);
}
