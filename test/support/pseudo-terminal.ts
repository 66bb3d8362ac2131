import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { bareEnvironment } from './bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));

/** Node has no pseudo-terminal, and Python does. What the command writes is copied, and its exit code is ours. */
const python = `
import fcntl, os, pty, struct, sys, termios
columns, *command = sys.argv[1:]
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack('HHHH', 24, int(columns), 0, 0))
    os.execv(command[0], command)
while True:
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        break
    if not piece:
        break
    os.write(1, piece)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

const escapes = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*[A-Za-z]`, 'g');

/** Runs a command of `longshore` on a terminal of that width, as a process of its own; without what colours it. */
export async function longshoreOnTerminal(columns: number, words: readonly string[], kubeconfig: string) {
  const env = bareEnvironment({ HOME: '/nowhere', TERM: 'xterm', KUBECONFIG: kubeconfig });
  const args = ['-c', python, String(columns), process.execPath, main, ...words];
  const child = spawn('python3', args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const [out, failure, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
  if (failure !== '') throw new Error(failure);
  return { code: Number(code), out: out.replaceAll('\r', '').replaceAll(escapes, ''), err: '' };
}
