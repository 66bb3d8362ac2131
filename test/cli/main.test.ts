import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const main = fileURLToPath(new URL('../../cli/main.ts', import.meta.url));
const clusters = JSON.stringify([{ name: 'main', access: { type: 'kubeconfig', from: 'file:/nowhere' } }]);
const complete = {
  LONGSHORE_FUNCTION: 'forward',
  LONGSHORE_CLUSTERS: clusters,
  LONGSHORE_QUEUES: '{"match-claim":"http://127.0.0.1:1/match","rebind-volume":"http://127.0.0.1:1/rebind"}',
};

function run(args: string[], environment: Record<string, string> = {}) {
  const { PATH = '' } = process.env;
  const { status, stderr } = spawnSync(process.execPath, [main, ...args], {
    encoding: 'utf8',
    env: { PATH, ...environment },
  });
  return { status, stderr };
}

test.each([
  [['forwards'], "unknown command 'forwards'"],
  [['constructor'], "unknown command 'constructor'"],
  [['run', '--context'], "option '--context <name>' argument missing"],
  [['forward', '--metric', '9464'], "Unknown option '--metric'"],
  [['forward', '--metrics', 'here'], '--metrics must be <address>:<port>, such as 127.0.0.1:9464, but is here'],
  [['forward', '--metrics', '127.0.0.1:70000'], '--metrics must be <address>:<port>'],
  [['forward', '--lease-seconds', '2'], '--lease-seconds must be a whole number from 5 to 600, but is 2'],
])('%j is refused with what can be said instead', (args, problem) => {
  const { status, stderr } = run(args);
  expect([status, stderr.split('\n')[0]]).toEqual([2, expect.stringContaining(problem)]);
  expect(stderr.trimEnd().split('\n').at(-1)).toMatch(/^See 'longshore( run| forward)? --help'\.$/);
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
  [['dlq', '--help'], 'usage: longshore dlq [list] [options]'],
  [['dlq', 'list', '--help'], 'usage: longshore dlq [list] [options]'],
  [['dlq', 'drop', '--help'], 'usage: longshore dlq drop --done|--unprocessable|--all [options]'],
  [['help', 'dlq', 'drop'], 'usage: longshore dlq drop --done|--unprocessable|--all [options]'],
])('%j has a help of its own', (args, usage) => {
  const { stdout } = spawnSync(process.execPath, [main, ...args], { encoding: 'utf8' });
  expect(stdout.split('\n')[0]).toBe(usage);
});

test('--help lists every command with what it does, and where its options are', () => {
  const { stdout } = spawnSync(process.execPath, [main, '--help'], { encoding: 'utf8' });
  const listed = [...stdout.matchAll(/^ {2}(\w+) +\w.*$/gm)].map(([, name]) => name);
  expect(listed).toEqual([
    'install',
    'uninstall',
    'run',
    'forward',
    'replay',
    'dlq',
    'redrive',
    'resync',
    'queues',
    'trace',
  ]);
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
