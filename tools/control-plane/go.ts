import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { goModule } from './versions.ts';

const run = promisify(execFile);

/** Throws with the remedy if Go is missing, or older than the version of Kubernetes needs. */
export async function requireGo(ask: () => Promise<string> = goVersion, module = goModule()): Promise<void> {
  const needed = neededBy(readFileSync(module, 'utf8'));
  const version = /go(\d+)\.(\d+)(\.\d+)?/.exec(await ask());
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return;
  const found = version ? version[0].slice('go'.length) : 'none';
  throw new Error(
    `Go >= ${needed.major}.${needed.minor} is needed to build the local control plane, found ${found}: install it, or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager, or LONGSHORE_KUBECONFIG to the kubeconfig of a test cluster`,
  );
}

function neededBy(module: string): { major: number; minor: number } {
  const [, major, minor] = /^go (\d+)\.(\d+)/m.exec(module) ?? [];
  return { major: Number(major), minor: Number(minor) };
}

/**
 * Next to go.mod, a Go that may download newer toolchains reports the one that it would use, or fails to download it.
 */
async function goVersion(): Promise<string> {
  const ask = async (environment: Record<string, string>) =>
    (await run('go', ['version'], { cwd: dirname(goModule()), env: { ...process.env, ...environment } })).stdout;
  return ask({})
    .catch(() => ask({ GOTOOLCHAIN: 'local' }))
    .catch(() => '');
}
