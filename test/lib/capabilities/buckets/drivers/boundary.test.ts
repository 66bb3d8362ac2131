import { expect, test } from '@jest/globals';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { creating, granting, region } from './requests.ts';

const boundary = 'arn:aws:iam::111122223333:policy/buckets';
const other = 'arn:aws:iam::111122223333:policy/other';
const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const byRole = { region, credentials: 'role', oidcProvider, serviceAccount: 'default' };
const secrets = { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' };

function set(permissionsBoundary: string | undefined) {
  const store = new FakeStore();
  for (const arn of [boundary, other]) store.addManagedPolicy(arn);
  const config = { name: 's3.example.com', type: 's3' } as const;
  const options = { identity: 'main', connect: store.connect, permissionsBoundary };
  const driver = createDrivers([config], options).get(config.name);
  if (!driver) throw new Error('there is no driver');
  return { store, driver };
}

test.each([{ region }, byRole])('what is made for %j has the boundary of the deployment', async (parameters) => {
  const { store, driver } = set(boundary);
  await driver.createBucket(creating({ parameters }));
  expect(await driver.grantBucketAccess(granting({ parameters }))).toMatchObject({ result: 'granted' });
  expect([...store.users, ...store.roles].map((each) => each.boundary)).toEqual([boundary]);
});

test('a class can name no other boundary than that of the deployment', async () => {
  const { store, driver } = set(boundary);
  const parameters = { region, permissionsBoundary: other };
  const problem = `The parameter permissionsBoundary is ${other}, and this deployment allows only ${boundary}: leave it out`;
  expect(driver.check(parameters, 'Greenfield')).toEqual([problem]);
  expect(await driver.grantBucketAccess(granting({ parameters }))).toMatchObject({ result: 'invalid' });
  expect(driver.check({ region, permissionsBoundary: boundary }, 'Greenfield')).toEqual([]);
  expect(store.users).toEqual([]);
});

test.each([
  [undefined, undefined],
  [other, other],
])('with keys of its own a class has the boundary that it names: %s', async (named, made) => {
  const { store, driver } = set(boundary);
  const parameters = { region, driverSecretName: 'keys', ...(named ? { permissionsBoundary: named } : {}) };
  await driver.createBucket(creating({ parameters, secrets }));
  expect(await driver.grantBucketAccess(granting({ parameters, secrets }))).toMatchObject({ result: 'granted' });
  expect(store.users[0]?.boundary).toBe(made);
});

test('without a boundary of the deployment a class may name any', async () => {
  const { store, driver } = set(undefined);
  const parameters = { region, permissionsBoundary: other };
  await driver.grantBucketAccess(granting({ parameters }));
  expect(store.users[0]?.boundary).toBe(other);
});
