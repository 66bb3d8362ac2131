import { mkdtemp, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type KeptProcess, startKept, tailOf } from '../processes/kept-process.ts';
import { requireGo } from './go.ts';
import type { Obtainable } from './programs.ts';
import { goModule, type Versions } from './versions.ts';

const packages: Record<Obtainable, string> = {
  etcd: 'go.etcd.io/etcd/server/v3',
  'kube-apiserver': 'k8s.io/kubernetes/cmd/kube-apiserver',
  'kube-controller-manager': 'k8s.io/kubernetes/cmd/kube-controller-manager',
  kubectl: 'k8s.io/kubernetes/cmd/kubectl',
};
const pollMs = 100;
const reportEveryMs = 5_000;

/** Builds a program of the control plane from the sources named in the go.mod of its minor version. */
export async function buildProgram(
  program: Obtainable,
  versions: Versions,
  path: string,
  progress: (line: string) => void,
): Promise<void> {
  await requireGo();
  const folder = await mkdtemp(`${path}.unfinished-`);
  const go = await startGo(folder, [
    ...['build', '-v', '-trimpath', '-ldflags', linkerFlags(versions)],
    ...['-o', join(folder, program), packages[program]],
  ]);
  try {
    const ended = await reportUntilEnded(program, go, logIn(folder), progress);
    if (ended !== 'exit 0') {
      throw new Error(`${program} could not be built, go ended with ${ended}:\n${await tailOf(logIn(folder))}`);
    }
    await rename(join(folder, program), path);
  } finally {
    await go.stop();
  }
}

/** Without these the programs report version 0.0.0. */
function linkerFlags({ kubernetes }: Versions): string {
  const [major, minor] = kubernetes.slice(1).split('.');
  const version = 'k8s.io/component-base/version';
  const set = { gitVersion: kubernetes, gitMajor: major, gitMinor: minor };
  return ['-s -w', ...Object.entries(set).map(([name, value]) => `-X ${version}.${name}=${value}`)].join(' ');
}

/**
 * Starts Go so that it ends with this process and leaves nothing behind. Our environment is passed in a file that only
 * we can read, since command lines are visible to every user, and the address of a proxy may contain a password.
 */
async function startGo(folder: string, args: string[]): Promise<KeptProcess> {
  const environment = Object.entries({ ...process.env, GOTMPDIR: folder })
    .filter(([name]) => /^[A-Za-z_]\w*$/.test(name))
    .map(([name, value = '']) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`);
  await writeFile(join(folder, 'environment'), environment.join(''), { mode: 0o600 });
  return startKept({
    command: '/bin/sh',
    args: ['-c', '. ./environment && exec go "$@"', 'go', '-C', dirname(goModule()), ...args],
    environment: {},
    folder,
    logPath: logIn(folder),
  });
}

function logIn(folder: string): string {
  return join(folder, 'go.log');
}

async function reportUntilEnded(
  program: Obtainable,
  go: KeptProcess,
  logPath: string,
  progress: (line: string) => void,
): Promise<string> {
  const started = Date.now();
  for (let reportAt = started; ; ) {
    const ended = go.ended();
    if (ended !== undefined) return ended;
    if (Date.now() >= reportAt) {
      reportAt += reportEveryMs;
      const lines = (await readFile(logPath, 'utf8').catch(() => '')).split('\n').filter((line) => line !== '');
      const downloaded = lines.filter((line) => line.startsWith('go: downloading')).length;
      const seconds = Math.round((Date.now() - started) / 1000);
      progress(
        `Building ${program} (once, a few minutes): ${downloaded} modules downloaded, ${lines.length - downloaded} packages compiled, ${seconds} s`,
      );
    }
    await pause(pollMs);
  }
}
