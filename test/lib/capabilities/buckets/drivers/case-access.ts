import type {
  GrantAccessOutcome,
  GrantAccessRequest,
  Parameters,
} from '../../../../../lib/capabilities/buckets/drivers/driver.ts';
import { createS3Driver } from '../../../../../lib/capabilities/buckets/drivers/s3/s3-driver.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { creating, granting, region } from './requests.ts';

export async function withBucket(parameters: Parameters = { region }) {
  const store = new FakeStore();
  const driver = createS3Driver('s3.example.com', store.connect, { identity: 'main' });
  await driver.createBucket(creating({ parameters }));
  const grant = (also?: Partial<GrantAccessRequest>) => driver.grantBucketAccess(granting(also));
  return { store, driver, grant };
}

export function credentialsOf(outcome: GrantAccessOutcome): Parameters {
  if (outcome.result !== 'granted') throw new Error(outcome.message);
  return outcome.credentials ?? {};
}

export const address = `https://s3.${region}.amazonaws.com`;
