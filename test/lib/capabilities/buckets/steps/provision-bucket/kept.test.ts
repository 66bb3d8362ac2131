import { describe } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import type { ProvisioningWorld } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/world.ts';
import * as stage from '../../bucket-stages.ts';
import { testTable } from '../../bucket-table.ts';
import { base, going } from './world.ts';

const { content, deleting, startedAt } = stage;
const stranger = stage.registration('deployment-2');
const inUse = { ...base, content: stage.ready({ ...deleting, status: { phase: 'Bound', startedAt } }) };

describe('nothing is given back', () => {
  testTable<ProvisioningWorld>(decide, [
    {
      situation: 'while the Bucket wants it',
      world: inUse,
      says: 'wait InUse',
      on: 'content',
      saying: 'prod/photos',
      phase: 'Bound',
    },
    {
      situation: "of another deployment's",
      world: { ...going({}), registration: stranger },
      answer: 'done NotOurDriver',
    },
    {
      situation: 'of which only another deployment can know',
      world: { ...base, problems: undefined, registration: stranger, bucket: undefined, content: content(deleting) },
      answer: 'done NotOurDriver',
    },
    {
      situation: 'without a driver, which is told',
      world: { ...going({}), problems: undefined, registration: undefined },
      says: 'wait DriverNotConfigured',
      on: 'content',
      saying: stage.driver,
    },
  ]);
});
