import { execFile, spawn } from 'node:child_process';
import { rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Program } from './binaries.ts';
import { goModule, type Versions } from './versions.ts';

const run = promisify(execFile);

const packages: Record<Program, string> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
};
const needed = { major: 1, minor: 26 };
const reportEveryMs = 5_000;

/** Builds a program of the control plane from the sources that tools/go.mod names. */
export async function buildProgram(
  program: Program,
  versions: Versions,
  path: string,
  progress: (line: string) => void,
): Promise<void> {
  await requireGo();
  const unfinished = `${path}.${process.pid}`;
  try {
    await goBuild(program, ['build', '-v', '-trimpath', '-ldflags', linkerFlags(versions), '-o', unfinished], progress);
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}

/** Without it the programs take themselves for a version 0.0.0. */
function linkerFlags({ kubernetes }: Versions): string {
  const [major, minor] = kubernetes.slice(1).split('.');
  const version = 'k8s.io/component-base/version';
  const set = { gitVersion: kubernetes, gitMajor: major, gitMinor: minor };
  return ['-s -w', ...Object.entries(set).map(([name, value]) => `-X ${version}.${name}=${value}`)].join(' ');
}

async function goBuild(program: Program, args: string[], progress: (line: string) => void): Promise<void> {
  const started = Date.now();
  const child = spawn('go', [...args, packages[program]], {
    cwd: dirname(goModule),
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const stop = () => child.kill('SIGKILL');
  process.once('exit', stop);
  const last: string[] = [];
  const counts = { downloaded: 0, compiled: 0 };
  createInterface({ input: child.stderr }).on('line', (line) => {
    if (line.startsWith('go: downloading')) counts.downloaded += 1;
    else counts.compiled += 1;
    last.push(line);
    if (last.length > 20) last.shift();
  });
  const report = () =>
    progress(
      `Building ${program} (once, a few minutes): ${counts.downloaded} modules downloaded, ${counts.compiled} packages compiled, ${Math.round((Date.now() - started) / 1000)} s`,
    );
  report();
  const timer = setInterval(report, reportEveryMs);
  try {
    const code = await new Promise((resolve, reject) => child.once('error', reject).once('close', resolve));
    if (code !== 0) throw new Error(`${program} could not be built, go ended with ${code}:\n${last.join('\n')}`);
  } finally {
    clearInterval(timer);
    process.off('exit', stop);
  }
}

/** Says what to do where Go is missing or too old. */
export async function requireGo(ask: () => Promise<string> = goVersion): Promise<void> {
  const version = /go(\d+)\.(\d+)/.exec(await ask());
  const [major, minor] = [Number(version?.[1]), Number(version?.[2])];
  if (major > needed.major || (major === needed.major && minor >= needed.minor)) return;
  throw new Error(
    `Go >= ${needed.major}.${needed.minor} is needed to build the local control plane, found ${version?.[0] ?? 'none'}: install it, or set KUBEBUILDER_ASSETS to a folder with etcd, kube-apiserver and kube-controller-manager, or LONGSHORE_KUBECONFIG to the kubeconfig of a test cluster`,
  );
}

async function goVersion(): Promise<string> {
  try {
    return (await run('go', ['version'])).stdout;
  } catch {
    return '';
  }
}
