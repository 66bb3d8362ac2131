import { expect, test } from '@jest/globals';
import { createDrivers } from '../../../../../lib/capabilities/buckets/drivers/drivers.ts';
import type { BucketClass } from '../../../../../lib/capabilities/buckets/objects.ts';
import { storeOfContent, storesOf } from '../../../../../lib/capabilities/buckets/sweep/stores.ts';
import type { Views } from '../../../../../lib/capabilities/buckets/sweep/views.ts';
import { FakeStore } from '../../../../support/fake-store.ts';
import { bucketClass, driver, ready } from '../bucket-stages.ts';

const { connect } = new FakeStore();
const shared = 'shared.example.com';
const configs = [
  { name: driver, type: 's3' },
  { name: shared, type: 'shared-keys' },
] as const;
const drivers = createDrivers(configs, { connect });
const region = 'eu-central-1';

function placesIn(classes: Partial<BucketClass>[], contents = [ready({ spec: { parameters: { region } } })]) {
  const views: Views = { read: [{ cluster: 'main', contents, classes: classes.map(bucketClass) }], unread: [] };
  return storesOf(views, drivers).map(({ driverName, parameters, secret }) => {
    return [driverName, parameters.region, parameters.endpoint, secret?.name].filter((each) => each !== undefined);
  });
}

const aws = [driver, region, 'https://s3.eu-central-1.amazonaws.com'];

test('each place is looked into once, whoever means it and however', () => {
  const same = [{ parameters: { region } }, { parameters: { region, versioning: 'true', tags: 'a=b' } }];
  expect(placesIn(same)).toEqual([aws]);
});

test('another region, another address and another administrator are other places', () => {
  const endpoint = 'https://objects.example.com';
  const classes = [{ region: 'us-west-2' }, { endpoint }, { endpoint, driverSecretName: 'store' }];
  expect(placesIn(classes.map((parameters) => ({ parameters })))).toEqual([
    aws,
    [driver, 'us-west-2', 'https://s3.us-west-2.amazonaws.com'],
    [driver, 'us-east-1', endpoint],
    [driver, 'us-east-1', endpoint, 'store'],
  ]);
});

test('what is no place, or another’s, is left out', () => {
  const wrong = [{ parameters: {} }, { provisioner: shared, parameters: { region } }, { provisioner: 'x.example.com' }];
  expect(placesIn(wrong, [])).toEqual([]);
});

test('what a deployment means by itself is looked into', () => {
  const own = createDrivers([{ name: driver, type: 's3', region }], { connect });
  expect(storesOf({ read: [], unread: [] }, own)).toMatchObject([{ parameters: { region } }]);
});

test('a Secret of the same name is another one in another cluster', () => {
  const classes = [bucketClass({ parameters: { region, driverSecretName: 'store' } })];
  const read = ['main', 'other'].map((cluster) => ({ cluster, contents: [], classes }));
  expect(storesOf({ read, unread: [] }, drivers).map(({ secret }) => secret?.cluster)).toEqual(['main', 'other']);
});

test('a content is where it was made, whatever its class has become', () => {
  const settled = drivers.get(driver)?.settleParameters({ region: 'eu-west-1' });
  const content = ready({ spec: { parameters: { region } } });
  const moved = { ...content, status: { ...content.status, settledParameters: settled ?? {} } };
  expect(storeOfContent('main', moved, drivers)?.parameters).toMatchObject({ region: 'eu-west-1' });
});
