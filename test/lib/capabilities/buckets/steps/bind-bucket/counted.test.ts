import { expect, test } from '@jest/globals';
import { decide } from '../../../../../../lib/capabilities/buckets/steps/bind-bucket/decide.ts';
import { decide as decideProvisioning } from '../../../../../../lib/capabilities/buckets/steps/provision-bucket/decide.ts';
import * as stage from '../../bucket-stages.ts';
import { writeOf } from '../../bucket-table.ts';
import { atWork } from '../provision-bucket/world.ts';

const { bucket, content, later, now } = stage;
const boundContent = content({ status: { phase: 'Bound' } });

test('a Bucket that can be used is counted once, with the time that it took', () => {
  const asked = bucket({ metadata: { creationTimestamp: now.toISOString() }, status: { conditions: [stage.copied] } });
  const { measure } = writeOf(decide({ bucket: asked, content: boundContent }, later(3)));
  expect(measure).toEqual([
    { name: 'BucketsBound', unit: 'Count', value: 1, dimensions: { Flow: 'Greenfield' } },
    { name: 'BucketDuration', unit: 'Milliseconds', value: 3_000, dimensions: { Flow: 'Greenfield' } },
  ]);
  const again = bucket({ status: { phase: 'Bound', conditions: [stage.said('Bound', 'Retrying'), stage.copied] } });
  expect(writeOf(decide({ bucket: again, content: boundContent }, now)).measure).toEqual([]);
});

test('what failed for good is counted with its reason', () => {
  const created = { result: 'taken', message: 'it is taken' } as const;
  const { measure } = writeOf(decideProvisioning({ ...atWork(), created }, now));
  const dimensions = { Flow: 'Greenfield', Reason: 'NameTaken' };
  expect(measure).toEqual([{ name: 'BucketsFailed', unit: 'Count', value: 1, dimensions }]);
});
