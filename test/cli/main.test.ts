import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { commands } from '../../cli/commands.ts';
import { bareEnvironment } from '../support/bare-environment.ts';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const clusters = JSON.stringify([{ name: 'main', access: { type: 'kubeconfig', from: 'file:/nowhere' } }]);
const complete = {
  LONGSHORE_FUNCTION: 'forward',
  LONGSHORE_CLUSTERS: clusters,
  LONGSHORE_QUEUES: '{"match-claim":"http://127.0.0.1:1/match","rebind-volume":"http://127.0.0.1:1/rebind"}',
};

function run(args: string[], environment: Record<string, string> = {}) {
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: bareEnvironment(environment),
  });
  return { status, stderr };
}

test.each([
  [['forwards'], "unknown command 'forwards'"],
  [['constructor'], "unknown command 'constructor'"],
  [['run', '--context'], "option '--context <name>' argument missing"],
  [['move', 'pvc/db'], "required option '--from <namespace>' not specified"],
  [['move', 'db', '--from', 'Team'], '--from must be the name of a namespace, but is "Team"'],
  [['move', 'db', '--from', 'b', '--timeout', 'soon'], '--timeout must be a duration, such as 30s, 2m or 1h30m'],
  [['status', '-n', 'a', '-A'], "option '-A, --all-namespaces' cannot be used with option '-n, --namespace <name>'"],
  [['cancel', 'pod/db'], 'write streq/<name>, stappr/<name> or offer/<claim>'],
  [['bucket'], 'a command is missing: write create, get or delete'],
  [['bucket', 'make'], 'unknown command "make": write create, get or delete'],
  [['forward', '--metric', '9464'], "unknown option '--metric'"],
  [['dlq', 'drap'], "unknown command 'dlq drap' (Did you mean drop?)"],
  [['forward', '--metrics', 'here'], '--metrics must be <address>:<port>, such as 127.0.0.1:9464, but is here'],
  [['forward', '--metrics', '127.0.0.1:70000'], '--metrics must be <address>:<port>'],
  [
    ['forward', '--lease-seconds', '2'],
    '--lease-seconds must be a duration from 5 to 600 seconds, such as 30s, 2m or 1h30m, but is 2',
  ],
])('%j is refused with what can be said instead', (args, problem) => {
  const { status, stderr } = run(args);
  expect([status, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(problem)]);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^See 'longshore( [a-z]+)? --help'\.$/);
});

test.each([
  ['-h'],
  ['help'],
  ['help', 'dlq'],
  ['help', 'dlq', 'drop'],
  ['forward', '-h'],
  ['replay', '--from', '6h', '-h'],
  ['dlq', 'drop', '-h'],
])('%j %j %j %j says how it is called, as --help does', (...args) => {
  const asked =
    args[0] === 'help' ? [...args.slice(1), '--help'] : args.map((each) => (each === '-h' ? '--help' : each));
  const outputs = [args, asked].map((each) => {
    const { status, stdout } = spawnSync(process.execPath, [main, ...each], { encoding: 'utf8' });
    return { status, stdout };
  });
  expect(outputs[0]).toEqual({ status: 0, stdout: expect.stringMatching(/^[Uu]sage: longshore /) });
  expect(outputs[0]).toEqual(outputs[1]);
});

test.each<[string[], string]>([
  [['dlq', '--help'], 'Usage: longshore dlq [options] [command]'],
  [['dlq', 'list', '--help'], 'Usage: longshore dlq list [options]'],
  [['dlq', 'drop', '--help'], 'Usage: longshore dlq drop (--done | --unprocessable | --all) [options]'],
  [['help', 'dlq', 'drop'], 'Usage: longshore dlq drop (--done | --unprocessable | --all) [options]'],
])('%j has a help of its own', (args, usage) => {
  const { stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect(stdout.split('\n')[0]).toBe(usage);
});

test.each([
  [['forward', '--metric', '9464'], '(Did you mean --metrics?)'],
  [['replays'], '(Did you mean replay?)'],
  [['trace', '--log'], '(Did you mean --logs?)'],
])('%j is answered by what may have been meant', (args, meant) => {
  expect(run(args).stderr.split('\n')[1]).toBe(meant);
});

test('--help lists every command with what it does, and where its options are', () => {
  const { stdout } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' });
  const listed = [...stdout.matchAll(/^ {2}(\w+) +\w.*$/gm)].map(([, name]) => name);
  expect(listed).toEqual(commands.map(({ name }) => name));
  expect(stdout).toContain("See 'longshore <command> --help' for its options.");
});

test('it says which release it is', () => {
  const { stdout } = spawnSync(process.execPath, [main, '--version'], { encoding: 'utf8' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test.each([
  [{}, 'LONGSHORE_CLUSTERS'],
  [complete, 'LONGSHORE_IDENTITY must be lower-case letters'],
  [
    { ...complete, LONGSHORE_IDENTITY: 'test', LONGSHORE_QUEUES: '{"match-claim":"http://127.0.0.1:1/match"}' },
    'none for rebind-volume',
  ],
])('surroundings in which it cannot work are refused with what is wrong', (environment, problem) => {
  const { status, stderr } = run(['forward'], environment);
  expect([status, stderr]).toEqual([1, expect.stringContaining(problem)]);
});
