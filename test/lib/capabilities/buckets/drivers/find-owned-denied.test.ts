import { expect, test } from '@jest/globals';
import { iamError } from '../../../../support/fake-store-error.ts';
import { withBucket } from './case-access.ts';
import { bucket, owner, region } from './requests.ts';

const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';
const byRole = { region, credentials: 'role', oidcProvider, serviceAccount: 'default' };
const other = '11111111-2222-3333-4444-555555555555';
const about = { parameters: { region }, secrets: {}, deadline: Number.MAX_SAFE_INTEGER, clusters: ['main'] };

test.each([
  ['GetUser', { region }],
  ['GetRole', byRole],
])(
  'what %s refuses to tell of an expected one counts as there, and keeps nothing else from being found',
  async (call, parameters) => {
    const { store, driver } = await withBucket();
    store.around = (name, perform) => {
      if (name === call) throw iamError(403, 'AccessDenied');
      return perform();
    };
    // Below the path of another deployment.
    const expected = [
      { owner: other, bucket, parameters },
      { owner, bucket: 'nowhere', parameters },
    ];
    expect(await driver.findOwned({ ...about, expected })).toMatchObject({
      result: 'found',
      items: [{ kind: 'bucket', name: bucket }],
      lacking: [{ owner, what: 'bucket' }],
    });
  },
);

test('another failure to tell of an expected one is the failure of the store', async () => {
  const { store, driver } = await withBucket();
  store.around = (name, perform) => {
    if (name === 'GetUser') throw iamError(400, 'InvalidInput');
    return perform();
  };
  const expected = [{ owner: other, bucket, parameters: { region } }];
  expect(await driver.findOwned({ ...about, expected })).toMatchObject({ result: 'invalid' });
});
