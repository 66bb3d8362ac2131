import type { DriverInfo } from './driver.ts';

/** The configuration of one driver of a deployment. */
export interface DriverConfig {
  /** The provisioner that classes name. */
  name: string;
  type: DriverType;
  /** The default region, for classes without one. */
  region?: string;
  /** The default endpoint, for classes without one; AWS if undefined. */
  endpoint?: string;
}

const protocols = { s3: ['s3'], 'shared-keys': ['s3'] } as const;

export type DriverType = keyof typeof protocols;

export const driverTypes = Object.keys(protocols) as DriverType[];

export function infoOf({ name, type }: Pick<DriverConfig, 'name' | 'type'>): DriverInfo {
  return { name, protocols: protocols[type] };
}
