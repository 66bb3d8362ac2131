import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { bareEnvironment } from '../../support/bare-environment.ts';

interface Surroundings {
  main: string;
  kubeconfig: string;
}

/** As readline has it: `=` and `:` are words of their own. */
function wordsOf(line: string): string[] {
  const words = line.match(/[=:]|[^\s=:]+/g) ?? [];
  return /[\s]$/.test(line) ? [...words, ''] : [...words];
}

/** What a real bash offers for a line, with the cursor at its end. */
export async function run(line: string, { main, kubeconfig }: Surroundings): Promise<string[]> {
  const program = `
longshore() { "$NODE" "$MAIN" "$@"; }
source <(longshore completion bash)
complete -p longshore >/dev/null || exit 9
COMP_LINE=$LINE COMP_POINT=\${#LINE}
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
__longshore_complete
(( \${#COMPREPLY[@]} )) && printf '%s\\n' "\${COMPREPLY[@]}"
exit 0`;
  const env = bareEnvironment({ NODE: process.execPath, MAIN: main, LINE: line, KUBECONFIG: kubeconfig });
  const bash = spawn('bash', ['--norc', '-c', program, 'bash', ...wordsOf(line)], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [code]] = await Promise.all([text(bash.stdout), text(bash.stderr), once(bash, 'close')]);
  if (code !== 0 || stderr !== '') throw new Error(`bash ended with ${code}: ${stderr}`);
  return stdout.split('\n').filter((each) => each !== '');
}
