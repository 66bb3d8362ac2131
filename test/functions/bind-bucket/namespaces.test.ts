import { describe } from '@jest/globals';
import { decide } from '../../../functions/bind-bucket/decide.ts';
import type { BindingWorld } from '../../../functions/bind-bucket/read.ts';
import * as stage from '../bucket-stages.ts';
import { testTable } from '../bucket-table.ts';

const asked = (namespaces: string): BindingWorld => {
  const bucketClass = stage.bucketClass();
  const annotations = { 'longshore.dev/namespaces': namespaces };
  return { bucket: stage.asked, bucketClass: { ...bucketClass, metadata: { ...bucketClass.metadata, annotations } } };
};

describe('a class that says for which namespaces it is', () => {
  testTable<BindingWorld>(decide, [
    {
      situation: 'serves those',
      world: asked('team-*, prod'),
      write: 'patch bucket',
      next: 'patch bucket status',
    },
    {
      situation: 'serves no other',
      world: asked('production, team-*'),
      says: 'reject ClassNotForNamespace',
      on: 'bucket',
      saying: 'longshore.dev/namespaces',
    },
  ]);
});
