import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

export interface RunOptions {
  /** What KUBECONFIG says. */
  kubeconfig?: string;
  environment?: Record<string, string>;
  /** Options of the process itself. */
  node?: readonly string[];
}

export interface Ended {
  code: unknown;
  out: string;
  err: string;
}

/** Runs a command of `longshore` as people do, with nothing of this process's environment but where programs are. */
export async function longshore(
  args: readonly string[],
  { kubeconfig, environment = {}, node = [] }: RunOptions = {},
): Promise<Ended> {
  const env = bareEnvironment({
    HOME: '/nowhere',
    ...(kubeconfig === undefined ? {} : { KUBECONFIG: kubeconfig }),
    ...environment,
  });
  const child = spawn(process.execPath, [...node, main, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const texts = { out: '', err: '' };
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    texts.out += piece;
  });
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    texts.err += piece;
  });
  const [code] = await once(child, 'close');
  return { code, ...texts };
}
