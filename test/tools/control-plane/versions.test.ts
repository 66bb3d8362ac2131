import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import {
  goModule,
  minorOf,
  minors,
  newestMinor,
  readVersions,
  versionsIn,
} from '../../../tools/control-plane/versions.ts';

test('the versions are those that go.mod requires', () => {
  const module = 'require (\n\tgo.etcd.io/etcd/server/v3 v3.6.1\n\tk8s.io/kubernetes v1.36.0 // indirect\n)\n';
  expect(versionsIn(module)).toEqual({ kubernetes: 'v1.36.0', etcd: 'v3.6.1' });
});

test('a module that is not required is named', () => {
  expect(() => versionsIn('require k8s.io/kubernetesX v1.0.0')).toThrow('go.mod does not require k8s.io/kubernetes');
});

test('the minor versions are in the order of their numbers, and the newest is what is used', () => {
  expect(minors).toEqual(['1.33', '1.34', '1.35', '1.36']);
  expect(newestMinor).toBe('1.36');
  expect(readVersions({})).toEqual(readVersions({ LONGSHORE_TEST_KUBERNETES: '1.36' }));
});

test.each(minors)('%s is a release of that minor, with the etcd that it was released with', (minor) => {
  const { kubernetes, etcd } = readVersions({ LONGSHORE_TEST_KUBERNETES: minor });
  expect(kubernetes).toMatch(/^v1\.\d+\.\d+$/);
  expect(minorOf(kubernetes)).toBe(`v${minor}`);
  expect(etcd).toMatch(/^v3\.\d+\.\d+$/);
  const module = readFileSync(goModule({ LONGSHORE_TEST_KUBERNETES: minor }), 'utf8');
  expect(module).toContain(`go.etcd.io/etcd/client/v3 ${etcd} // indirect`);
});

test.each(minors)('all libraries of Kubernetes %s are of that release', (minor) => {
  const environment = { LONGSHORE_TEST_KUBERNETES: minor };
  const release = readVersions(environment).kubernetes.replace('v1.', 'v0.');
  const replaced = [...readFileSync(goModule(environment), 'utf8').matchAll(/^\t(\S+) => (\S+) (\S+)$/gm)];
  expect(replaced.length).toBeGreaterThan(20);
  for (const [, from, to, version] of replaced) expect([to, version]).toEqual([from, release]);
});

test('another minor is refused, with those that there are', () => {
  expect(() => readVersions({ LONGSHORE_TEST_KUBERNETES: '1.20' })).toThrow(
    'LONGSHORE_TEST_KUBERNETES must be one of 1.33, 1.34, 1.35, 1.36, but is "1.20"',
  );
  expect(() => readVersions({ LONGSHORE_TEST_KUBERNETES: '../1.36' })).toThrow('LONGSHORE_TEST_KUBERNETES must be');
});
