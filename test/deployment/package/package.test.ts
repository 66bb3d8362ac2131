import { spawnSync } from 'node:child_process';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { commands } from '../../../cli/commands.ts';
import { repository } from '../../../deployment/package/bundle.ts';
import { type InstalledCommand, installCommand, nodesHere } from '../../support/installed-command.ts';

let installed: InstalledCommand;

beforeAll(async () => {
  installed = await installCommand();
});
afterAll(async () => {
  await installed?.[Symbol.asyncDispose]();
});

const read = (path: string) => readFile(join(installed.package, path), 'utf8');

test('it is small, and needs no other package', async () => {
  const manifest = JSON.parse(await read('package.json'));
  const { version } = JSON.parse(await readFile(join(repository, 'package.json'), 'utf8'));
  expect(manifest).toMatchObject({ name: 'longshore', version });
  for (const field of ['dependencies', 'optionalDependencies', 'peerDependencies', 'scripts', 'private']) {
    expect(manifest).not.toHaveProperty(field);
  }
  const packages = await readdir(join(installed.folder, 'node_modules'));
  expect(packages.filter((name) => !name.startsWith('.'))).toEqual(['longshore']);
  expect(installed.packed.bytes).toBeLessThan(900_000);
  expect(installed.packed.unpackedBytes).toBeLessThan(3_200_000);
});

test('it has what is applied to a cluster and what starts the command, as the repository has them', async () => {
  const manifests = await readdir(join(repository, 'manifests'), { recursive: true });
  const paths = manifests.filter((path) => path.endsWith('.yaml')).map((path) => join('manifests', path));
  const others = ['run.yaml', 'run-in-cluster.yaml', 'longshore.service', 'Dockerfile'];
  for (const path of [...paths, 'LICENSE', 'serverless.yml', ...others.map((name) => join('deployment', name))]) {
    expect(await read(path)).toBe(await readFile(join(repository, path), 'utf8'));
  }
  expect(paths.length).toBeGreaterThan(20);
});

test('it names each package that is in it, with its license', async () => {
  const notices = await read('THIRD-PARTY-NOTICES.txt');
  for (const name of ['commander', 'yaml', 'valibot', '@aws-sdk/client-sqs', '@smithy/core']) {
    const { version, license } = JSON.parse(
      await readFile(join(repository, 'node_modules', name, 'package.json'), 'utf8'),
    );
    expect(notices).toContain(`\n${name} ${version} (${license})\n`);
  }
  expect(notices).toContain('Apache License');
  expect(notices).toContain('Permission is hereby granted, free of charge');
});

test('each module has its map, and no map has sources', async () => {
  const names = await readdir(join(installed.package, 'dist'));
  const modules = names.filter((name) => name.endsWith('.mjs'));
  expect(names.toSorted()).toEqual([...modules, ...modules.map((name) => `${name}.map`)].toSorted());
  const { sourcesContent, sources } = JSON.parse(await read('dist/longshore.mjs.map'));
  expect(sourcesContent).toBeUndefined();
  expect(sources.join()).toContain('deployment/package/');
});

describe.each(nodesHere())('with Node $version', ({ path: node, version }) => {
  /** As its user's shell runs it: the program's first line looks for `node` on the PATH. */
  const run = (program: string, ...args: string[]) => {
    const env = { PATH: join(node, '..'), HOME: join(installed.folder, 'home') };
    return spawnSync(join(installed.bin, program), args, { cwd: installed.folder, env, encoding: 'utf8' });
  };

  test('both programs print the version', async () => {
    const { version } = JSON.parse(await read('package.json'));
    for (const program of ['longshore', 'kubectl-longshore']) {
      expect(run(program, '--version')).toMatchObject({ stdout: `${version}\n`, stderr: '', status: 0 });
    }
  });

  test('the help lists the commands, and each of them loads and has its own', () => {
    const { stdout } = run('longshore', '--help');
    for (const { name, summary } of commands) {
      expect(stdout).toContain(summary);
      const usage = expect.stringMatching(new RegExp(`^usage: longshore ${name}`, 'i'));
      expect(run('longshore', name, '--help')).toMatchObject({ stdout: usage, stderr: '', status: 0 });
    }
  });

  test('the help waits for no command to load', async () => {
    const folder = join(installed.folder, `coverage-${version}`);
    const env = { PATH: '', NODE_V8_COVERAGE: folder };
    const program = join(installed.package, 'dist', 'longshore.mjs');
    expect(spawnSync(node, [program, '--help'], { env }).status).toBe(0);
    const [name = ''] = await readdir(folder);
    const { result } = JSON.parse(await readFile(join(folder, name), 'utf8')) as { result: { url: string }[] };
    const loaded = result.map(({ url }) => url).filter((url) => url.includes('/dist/'));
    const sizes = await Promise.all(loaded.map(async (url) => (await stat(new URL(url))).size));
    expect(loaded.length).toBeGreaterThan(1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(100_000);
  });

  test('an unknown command is refused with the exit code of a wrong call', () => {
    expect(run('longshore', 'no-such')).toMatchObject({ status: 2, stdout: '' });
    expect(run('longshore', 'run', '--lease-seconds', '1').status).toBe(2);
  });

  test('where there is no cluster, that is one line', () => {
    const { status, stderr } = run('longshore', 'run');
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: 'no cluster is known: use --kubeconfig, set KUBECONFIG, or run in a Pod with a service account\n',
    });
  });
});
