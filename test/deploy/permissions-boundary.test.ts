import {
  CreateAccessKeyCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteRoleCommand,
  DeleteUserCommand,
  DeleteUserPermissionsBoundaryCommand,
  GetUserCommand,
  IAMClient,
  ListUsersCommand,
  PutUserPermissionsBoundaryCommand,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createDrivers } from '../../lib/capabilities/buckets/drivers/drivers.ts';
import { completed, file, propertiesOf, stage } from '../support/completed-service.ts';
import { deployedStack } from '../support/deployed-stack.ts';
import { consumerOf, credentialsOf, granting, permitted, realStore } from './case-store.ts';

/**
 * The rights of provision-bucket as they are deployed with a boundary, given to a user of their own: what somebody can do
 * with them who has got hold of them.
 */

const store = realStore();
const { iam: administrator, s3 } = store;
const { settings } = deployedStack();
const account = '111122223333';
const boundary = `arn:aws:iam::${account}:policy/buckets-only`;
const other = `arn:aws:iam::${account}:policy/anything`;
const identity = file.custom.identity
  .replace(`\${self:service}`, file.service)
  .replace(`\${sls:stage}`, stage)
  .replace(`\${AWS::AccountId}`, account)
  .replace(`\${AWS::Region}`, settings.region);
const path = `/longshore/${identity}/`;
const allow = (Action: string) => statement([{ Effect: 'Allow', Action, Resource: '*' }]);
const denied = { name: expect.stringMatching(/^AccessDenied/) };
const everything = { PolicyName: 'all', PolicyDocument: allow('*') };
const trust = statement([{ Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' }]);
let secrets: Record<string, string> = {};
let holder: IAMClient;

function statement(Statement: object[]): string {
  return JSON.stringify({ Version: '2012-10-17', Statement });
}

/** What the template says, with what CloudFormation puts in. */
function rightsWith(parameter: string): string {
  const made = completed({ 'permissions-boundary': parameter });
  const [policy = {}] = propertiesOf(made, 'ProvisionBucketRole').Policies as Record<string, { Statement: Right[] }>[];
  const rights = (policy.PolicyDocument?.Statement ?? []).filter((each) => /"(s3|iam):/.test(JSON.stringify(each)));
  const resolved = JSON.stringify(rights)
    .replaceAll(/\{"Fn::Sub":("[^"]+")\}/g, '$1')
    .replaceAll(`\${AWS::Partition}`, 'aws')
    .replaceAll(`\${AWS::AccountId}`, account)
    .replaceAll(`\${AWS::Region}`, settings.region);
  return statement(JSON.parse(resolved));
}

interface Right {
  Action: string | string[];
}

async function keysOf(UserName: string, PolicyDocument: string): Promise<Record<string, string>> {
  await administrator.send(new CreateUserCommand({ UserName }));
  await administrator.send(new PutUserPolicyCommand({ UserName, PolicyName: 'rights', PolicyDocument }));
  const { AccessKey } = await administrator.send(new CreateAccessKeyCommand({ UserName }));
  return {
    AWS_ACCESS_KEY_ID: AccessKey?.AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: AccessKey?.SecretAccessKey ?? '',
  };
}

function clientOf({ AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' }: Record<string, string>): IAMClient {
  const credentials = { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY };
  return new IAMClient({ ...settings, credentials });
}

beforeAll(async () => {
  for (const [PolicyName, action] of [
    ['buckets-only', 's3:*'],
    ['anything', '*'],
  ] as const) {
    await administrator.send(new CreatePolicyCommand({ PolicyName, PolicyDocument: allow(action) }));
  }
  secrets = await keysOf('holds-bounded-rights', rightsWith(boundary));
  holder = clientOf(secrets);
});

afterAll(() => {
  for (const client of [administrator, s3, holder]) client.destroy();
});

test('whoever has the role makes no user and no role without the boundary, and none with another one', async () => {
  const user = { UserName: 'cosi-attacker', Path: path };
  const role = { RoleName: 'cosi-attacker', Path: path, AssumeRolePolicyDocument: trust };
  await expect(holder.send(new CreateUserCommand(user))).rejects.toMatchObject(denied);
  await expect(holder.send(new CreateUserCommand({ ...user, PermissionsBoundary: other }))).rejects.toMatchObject(
    denied,
  );
  await expect(holder.send(new CreateRoleCommand(role))).rejects.toMatchObject(denied);
  await expect(holder.send(new CreateRoleCommand({ ...role, PermissionsBoundary: other }))).rejects.toMatchObject(
    denied,
  );
  await holder.send(new CreateRoleCommand({ ...role, PermissionsBoundary: boundary }));
  await administrator.send(new DeleteRoleCommand({ RoleName: 'cosi-attacker' }));
});

test('whoever has the role makes nothing of a bare name, and changes nobody who has one', async () => {
  const UserName = 'cosi-of-the-root';
  const bare = { UserName, PermissionsBoundary: boundary };
  await expect(holder.send(new CreateUserCommand(bare))).rejects.toMatchObject(denied);
  await administrator.send(new CreateUserCommand(bare));
  await expect(holder.send(new PutUserPolicyCommand({ UserName, ...everything }))).rejects.toMatchObject(denied);
  await expect(holder.send(new CreateAccessKeyCommand({ UserName }))).rejects.toMatchObject(denied);
  await administrator.send(new DeleteUserCommand({ UserName }));
  // What is asked about what is not there, the driver must be told.
  await expect(holder.send(new GetUserCommand({ UserName: 'cosi-absent' }))).rejects.toMatchObject({
    name: expect.stringMatching(/^NoSuchEntity/),
  });
});

test('whoever has the role makes no administrator: what is made has what the boundary allows, whatever its policy', async () => {
  const UserName = 'cosi-bounded';
  await holder.send(new CreateUserCommand({ UserName, Path: path, PermissionsBoundary: boundary }));
  await holder.send(new PutUserPolicyCommand({ UserName, ...everything }));
  const { AccessKey } = await holder.send(new CreateAccessKeyCommand({ UserName }));
  const made = clientOf({
    AWS_ACCESS_KEY_ID: AccessKey?.AccessKeyId ?? '',
    AWS_SECRET_ACCESS_KEY: AccessKey?.SecretAccessKey ?? '',
  });
  await expect(made.send(new ListUsersCommand({}))).rejects.toMatchObject(denied);
  await expect(made.send(new CreateUserCommand({ UserName: 'administrator' }))).rejects.toMatchObject(denied);
  made.destroy();
});

test('whoever has the role takes the boundary off nobody, and gives no policy to a user who has none', async () => {
  const UserName = 'cosi-unbounded';
  await administrator.send(new CreateUserCommand({ UserName, Path: path }));
  const taken = new DeleteUserPermissionsBoundaryCommand({ UserName: 'cosi-bounded' });
  await expect(holder.send(taken)).rejects.toMatchObject(denied);
  const given = new PutUserPermissionsBoundaryCommand({ UserName, PermissionsBoundary: boundary });
  await expect(holder.send(given)).rejects.toMatchObject(denied);
  await expect(holder.send(new PutUserPolicyCommand({ UserName, ...everything }))).rejects.toMatchObject(denied);
  await administrator.send(given);
  await holder.send(new PutUserPolicyCommand({ UserName, ...everything }));
});

test('the driver gives access within the boundary, and takes it back', async () => {
  const config = { name: 's3.example.com', type: 's3' } as const;
  const driver = createDrivers([config], { identity }).get(config.name);
  const consumer = { ...consumerOf(store, { permissionsBoundary: boundary }), secrets };
  const unbounded = { ...consumerOf(store), secrets };
  expect(await driver?.createBucket(consumer)).toEqual({ result: 'created' });
  const granted = await driver?.grantBucketAccess(granting(consumer));
  expect(granted).toMatchObject({ result: 'granted' });
  await s3.send(new PutObjectCommand({ Bucket: consumer.bucket, Key: 'there', Body: 'x' }));
  const credentials = credentialsOf(granted ?? { result: 'denied', message: '' });
  expect(await permitted(credentials, consumer.bucket)).toContain('put');
  expect(await driver?.revokeBucketAccess(consumer)).toEqual({ result: 'revoked', found: true });
  expect(await driver?.grantBucketAccess(granting(unbounded))).toMatchObject({
    result: 'denied',
    message: expect.stringContaining('iam:CreateUser'),
  });
});
