import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const main = fileURLToPath(new URL('./main.ts', import.meta.url));

/**
 * As in package.json. Node waits at its end for compilations in the background, and these for a collection of garbage that
 * nobody makes any more, when the heap is at its limit: one process in 400 hung (nodejs/node#54918). So the limit is far away.
 */
const roomyHeap = '--initial-old-space-size=1024';

/** The command as it is called by hand: what loads a mutant's modules is there in a process of its own only. */
export async function runFuzz(...args: string[]): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, [roomyHeap, main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [said, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await ended, output: said + problems };
}
