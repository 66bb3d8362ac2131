import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface Python {
  readonly command: string;
  readonly version: string;
}

const needed = { major: 3, minor: 10 };

/** A system's plain `python3` may be old while a newer one is installed beside it, so those are tried too. */
const commands = ['python3', 'python3.14', 'python3.13', 'python3.12', 'python3.11', 'python3.10', 'python'];

export class PythonMissing extends Error {
  override readonly name = 'PythonMissing';

  constructor(found: readonly string[]) {
    const what = found.length > 0 ? found.join(', ') : 'none';
    super(
      `Python >= ${needed.major}.${needed.minor} is needed, found ${what}: ` +
        'install it with its venv module (Debian and Ubuntu: "apt install python3 python3-venv", macOS: "brew install python")',
    );
  }
}

/** The first Python that is new enough and can create virtual environments. */
export async function findPython(ask: (command: string) => Promise<string> = describePython): Promise<Python> {
  const found: string[] = [];
  for (const command of commands) {
    const [version, venv] = (await ask(command)).split(' ');
    if (version === undefined || version === '') continue;
    if (!isNewEnough(version)) found.push(`${version} (${command})`);
    else if (venv !== 'venv') found.push(`${version} without venv (${command})`);
    else return { command, version };
  }
  throw new PythonMissing(found);
}

/** "3.12.1 venv"; "3.12.1" if the venv module is a separate package that is missing; or "" if there is no Python. */
async function describePython(command: string): Promise<string> {
  const script = [
    'import importlib.util as u, platform',
    'venv = all(u.find_spec(name) for name in ("venv", "ensurepip"))',
    'print(platform.python_version(), "venv" if venv else "")',
  ].join('\n');
  try {
    return (await run(command, ['-c', script], { timeout: 20_000 })).stdout.trim();
  } catch {
    return '';
  }
}

function isNewEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed.major || (major === needed.major && minor >= needed.minor);
}
