import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** tools/go.mod is the one place that names versions. */
export const goModule = fileURLToPath(new URL('../go.mod', import.meta.url));

export interface Versions {
  kubernetes: string;
  etcd: string;
}

export function readVersions(text = readFileSync(goModule, 'utf8')): Versions {
  return { kubernetes: required(text, 'k8s.io/kubernetes'), etcd: required(text, 'go.etcd.io/etcd/server/v3') };
}

function required(text: string, path: string): string {
  const version = new RegExp(`^\\s*${path.replaceAll('.', '\\.')} (v\\S+)`, 'm').exec(text)?.[1];
  if (!version) throw new Error(`tools/go.mod does not require ${path}`);
  return version;
}
