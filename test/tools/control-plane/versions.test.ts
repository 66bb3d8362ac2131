import { expect, test } from '@jest/globals';
import { readVersions } from '../../../tools/control-plane/versions.ts';

test('the versions are those that tools/go.mod requires', () => {
  const module = 'require (\n\tgo.etcd.io/etcd/server/v3 v3.6.1\n\tk8s.io/kubernetes v1.36.0 // indirect\n)\n';
  expect(readVersions(module)).toEqual({ kubernetes: 'v1.36.0', etcd: 'v3.6.1' });
});

test('a module that is not required is named', () => {
  expect(() => readVersions('require k8s.io/kubernetesX v1.0.0')).toThrow(
    'tools/go.mod does not require k8s.io/kubernetes',
  );
});

test('the versions of this repository are releases', () => {
  const { kubernetes, etcd } = readVersions();
  expect([kubernetes, etcd]).toEqual([
    expect.stringMatching(/^v1\.\d+\.\d+$/),
    expect.stringMatching(/^v3\.\d+\.\d+$/),
  ]);
});
