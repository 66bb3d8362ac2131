import type { DriverInfo } from './driver.ts';

/** One driver of a deployment, as far as it is known without calling it. */
export interface DriverConfig {
  /** What classes name as their provisioner. */
  name: string;
  type: DriverType;
  /** Where buckets are whose class names no region. */
  region?: string;
  /** Where the store is that classes mean which name none; AWS, where this says nothing either. */
  endpoint?: string;
}

const protocols = { s3: ['s3'], 'shared-keys': ['s3'] } as const;

export type DriverType = keyof typeof protocols;

export const driverTypes = Object.keys(protocols) as DriverType[];

export function infoOf({ name, type }: Pick<DriverConfig, 'name' | 'type'>): DriverInfo {
  return { name, protocols: protocols[type] };
}
