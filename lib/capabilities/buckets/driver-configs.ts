import * as v from 'valibot';
import { isLegalName } from '../../kubernetes/resources.ts';
import { object, type Schema, string } from '../../runtime/config-values.ts';
import { type DriverConfig, driverTypes } from './drivers/driver-config.ts';

const driverConfig = object({
  name: string('a name such as s3.example.com', isLegalName),
  type: v.picklist(driverTypes, `must be ${driverTypes.join(' or ')}`),
  region: v.exactOptional(string('a region, such as eu-central-1')),
  endpoint: v.exactOptional(string('the address of a store, such as https://minio.example.com')),
});

/** The drivers of a deployment. No two have the same name. */
export const driverConfigs: Schema<DriverConfig[]> = v.pipe(
  v.array(driverConfig, 'must be a JSON array of drivers'),
  v.check((drivers) => new Set(drivers.map(({ name }) => name)).size === drivers.length, 'has two drivers of one name'),
);
