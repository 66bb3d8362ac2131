import { expect, test } from '@jest/globals';
import { address, credentialsOf, withBucket } from './case-access.ts';
import { bucket, region, revoking, userName } from './requests.ts';

const oidcProvider = 'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id/A';

test.each([
  ['ro', ['s3:ListBucket', 's3:GetBucketLocation'], ['s3:GetObject', 's3:GetObjectVersion']],
  ['wo', ['s3:GetBucketLocation'], ['s3:PutObject', 's3:AbortMultipartUpload', 's3:ListMultipartUploadParts']],
] as const)('mode %s allows no more than it says', async (mode, onBucket, onObjects) => {
  const { store, grant } = await withBucket();
  await grant({ mode });
  expect(JSON.parse(store.liveKeys[0]?.policies[0] ?? '').Statement).toEqual([
    { Effect: 'Allow', Action: onBucket, Resource: `arn:aws:s3:::${bucket}` },
    { Effect: 'Allow', Action: onObjects, Resource: `arn:aws:s3:::${bucket}/*` },
  ]);
});

test('mode rw deletes objects, but never a version for good', async () => {
  const { store, grant } = await withBucket();
  await grant();
  const actions = JSON.parse(store.liveKeys[0]?.policies[0] ?? '').Statement.flatMap(
    (each: { Action: string[] }) => each.Action,
  );
  expect(actions).toContain('s3:DeleteObject');
  expect(actions).not.toContain('s3:DeleteObjectVersion');
});

test('another mode replaces the policy', async () => {
  const { store, grant } = await withBucket();
  const held = credentialsOf(await grant({ mode: 'rw' }));
  await grant({ mode: 'ro', held });
  expect(store.users[0]?.policies.size).toBe(1);
  expect(store.liveKeys[0]?.policies[0]).not.toContain('s3:PutObject');
});

test('who uses a bucket with a key of KMS may use the key, through S3 alone', async () => {
  const { store, grant } = await withBucket();
  const kmsKeyId = 'arn:aws:kms:eu-central-1:111122223333:key/k';
  await grant({ mode: 'ro', parameters: { region, encryption: 'aws:kms', kmsKeyId } });
  expect(JSON.parse(store.liveKeys[0]?.policies[0] ?? '').Statement[2]).toEqual({
    Effect: 'Allow',
    Action: ['kms:Decrypt'],
    Resource: kmsKeyId,
    Condition: { StringEquals: { 'kms:ViaService': `s3.${region}.amazonaws.com` } },
  });
});

test('a permissions boundary is set with the user, or there is no user', async () => {
  const { store, grant } = await withBucket();
  const permissionsBoundary = 'arn:aws:iam::111122223333:policy/boundary';
  const parameters = { region, permissionsBoundary };
  expect(await grant({ parameters })).toMatchObject({ result: 'denied', message: expect.stringContaining('boundary') });
  expect(store.users).toEqual([]);
  store.addManagedPolicy(permissionsBoundary);
  expect(await grant({ parameters })).toMatchObject({ result: 'granted' });
  expect(store.users).toMatchObject([{ boundary: permissionsBoundary }]);
});

test.each([
  ['default', 'StringEquals'],
  ['*', 'StringLike'],
])('with credentials "role", service account %s of the namespace takes on a role', async (serviceAccount, operator) => {
  const { store, driver, grant } = await withBucket();
  const parameters = { region, credentials: 'role', oidcProvider, serviceAccount };
  const credentials = credentialsOf(await grant({ parameters }));
  expect(credentials).toEqual({
    AWS_ROLE_ARN: `arn:aws:iam::111122223333:role/longshore/main/${userName}`,
    AWS_DEFAULT_REGION: region,
    AWS_REGION: region,
    AWS_ENDPOINT_URL_S3: address,
  });
  const [statement] = JSON.parse(store.roles[0]?.trust ?? '').Statement;
  expect(statement.Principal).toEqual({ Federated: oidcProvider });
  expect(statement.Condition.StringEquals['oidc.example.com/id/A:aud']).toBe('sts.amazonaws.com');
  const subject = `system:serviceaccount:team-a:${serviceAccount}`;
  expect(statement.Condition[operator]['oidc.example.com/id/A:sub']).toBe(subject);
  expect(await grant({ parameters, held: credentials })).toMatchObject({ credentials: undefined });
  expect(await driver.revokeBucketAccess(revoking({ parameters }))).toEqual({ result: 'revoked', found: true });
  expect([store.roles, store.users]).toEqual([[], []]);
});
