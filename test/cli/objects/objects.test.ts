import { expect, test } from '@jest/globals';
import { create } from '../../../cli/objects/objects.ts';
import type { ReferenceGrant } from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';

test('an object is created in the version that it is written in, which may not be the newest one', async () => {
  const paths: string[] = [];
  const api = {
    create: async (path: string, object: object) => {
      paths.push(path);
      return object;
    },
  };
  const grant = { apiVersion: 'gateway.networking.k8s.io/v1beta1', kind: 'ReferenceGrant', spec: { from: [], to: [] } };
  const object = { ...grant, metadata: { namespace: 'prod', name: 'allow' } } as ReferenceGrant;
  await create({ api } as never, resources.referenceGrant, object);
  expect(paths).toEqual(['/apis/gateway.networking.k8s.io/v1beta1/namespaces/prod/referencegrants']);
});
