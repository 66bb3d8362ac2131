import type { BucketContent } from '../../lib/buckets/objects.ts';
import type { Decision } from '../../lib/reconcile/step.ts';
import type { DriverCall } from './perform.ts';

type Unaddressed = DriverCall extends infer Each
  ? Each extends DriverCall
    ? Omit<Each, 'driver' | 'about'>
    : never
  : never;

export function callOf({ metadata, spec }: BucketContent, call: Unaddressed): Decision {
  const about = `${spec.bucketIdentifier} for BucketContent ${metadata.name}`;
  return { do: 'call', call: { ...call, about, driver: spec.provisioner ?? '' } as DriverCall };
}
