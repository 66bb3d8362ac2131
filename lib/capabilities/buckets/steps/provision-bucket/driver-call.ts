import type { Decision } from '../../../../reconcile/step.ts';
import type { BucketContent } from '../../objects.ts';
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
