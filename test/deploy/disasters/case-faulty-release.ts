import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** This repository as a release in which match-transfer fails with each message. */
export async function faultyRelease(within: string): Promise<string> {
  const root = await mkdtemp(join(within, 'faulty-'));
  for (const name of ['functions', 'lib', 'serverless.yml']) {
    await cp(join(repository, name), join(root, name), { recursive: true });
  }
  for (const name of ['deployment', 'node_modules', 'package.json', 'tools', 'tsconfig.json']) {
    await symlink(join(repository, name), join(root, name));
  }
  const path = join(root, 'lib/capabilities/transfers/steps/match-transfer/decide.ts');
  const source = await readFile(path, 'utf8');
  const begin = 'const { request } = world;';
  const changed = source.replace(begin, `world.request.spec.source.namespaces.length;\n  ${begin}`);
  if (changed === source) throw new Error(`${path} does not have ${begin}`);
  await writeFile(path, changed);
  return root;
}
