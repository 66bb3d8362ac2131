import type { Driver } from '../lib/capabilities/buckets/drivers/driver.ts';
import { createDrivers } from '../lib/capabilities/buckets/drivers/drivers.ts';
import { connectTo } from '../lib/capabilities/buckets/drivers/s3/connect.ts';
import type { Connect } from '../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { driverName } from '../tools/local/bucket-objects.ts';
import { clientSettings, type LocalAws } from '../tools/local-aws/local-aws.ts';

/** The driver for S3 and IAM on a local AWS, with a count of its calls. */
export class CountedStore {
  readonly calls = { s3: 0, iam: 0 };
  readonly drivers: ReadonlyMap<string, Driver>;
  readonly driver: Driver;

  constructor(localAws: LocalAws) {
    const { endpoint, region, credentials } = clientSettings(localAws);
    const real = connectTo();
    const connect: Connect = (settings) => {
      const { s3, iam } = real({ ...settings, credentials });
      return { s3: this.counting('s3', s3), iam: this.counting('iam', iam) };
    };
    this.drivers = createDrivers([{ name: driverName, type: 's3', endpoint, region }], { identity: 'bench', connect });
    const driver = this.drivers.get(driverName);
    if (!driver) throw new Error(`there is no driver ${driverName}`);
    this.driver = driver;
  }

  private counting<T extends { send: unknown }>(service: 's3' | 'iam', client: T): T {
    const send = client.send as (...args: unknown[]) => unknown;
    const counted = (...args: unknown[]) => {
      this.calls[service] += 1;
      return send.apply(client, args);
    };
    return { send: counted } as T;
  }
}
