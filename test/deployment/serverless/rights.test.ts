import { expect, test } from '@jest/globals';
import { type Completed, completed, propertiesOf } from '../../support/completed-service.ts';

interface Statement {
  Sid?: string;
  Effect: string;
  Action: string | string[];
  Resource: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

const roleOf = (made: Completed, prefix: string): Statement[] => {
  const [policy = {}] = propertiesOf(made, `${prefix}Role`).Policies as Record<string, unknown>[];
  return statementsOf(policy.PolicyDocument);
};
const policyOf = (made: Completed, name: string): Statement[] =>
  statementsOf(propertiesOf(made, `${name}Policy`).PolicyDocument);

interface Document {
  Statement: Statement[];
}

function statementsOf(document: unknown): Statement[] {
  return (document as Document).Statement;
}

const withAction = (statements: Statement[], action: string) =>
  statements.filter(({ Action }) => [Action].flat().includes(action));
const byName = (service: string, name: string) => ({
  'Fn::Sub': `arn:\${AWS::Partition}:${service}:\${AWS::Region}:\${AWS::AccountId}:${name}`,
});
const key = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd-12ab';

test('without parameters that need more, no role has rights on keys, network interfaces and traces', () => {
  const made = completed();
  const roles = Object.entries(made.resources.Resources).filter(([, { Type }]) => Type === 'AWS::IAM::Role');
  expect(roles.filter(([, role]) => /"(kms|ec2|xray):/.test(JSON.stringify(role)))).toEqual([]);
});

test('no right is on everything, but for lists of the whole account', () => {
  const made = completed();
  const prefixes = Object.keys(made.resources.Resources).flatMap((name) => /^(.+)Role$/.exec(name)?.[1] ?? []);
  const broad = prefixes.flatMap((prefix) => roleOf(made, prefix).filter(({ Resource }) => Resource === '*'));
  expect(broad.map(({ Action }) => Action)).toEqual([['s3:ListAllMyBuckets', 'iam:ListUsers', 'iam:ListRoles']]);
});

test('who forwards writes segments of the archive, and who replays reads them and cannot change any', () => {
  const made = completed();
  const segments = { 'Fn::Sub': `\${ArchiveBucket.Arn}/cluster=*` };
  for (const writer of ['Forward', 'Resync']) {
    expect(withAction(roleOf(made, writer), 's3:PutObject')).toEqual([expect.objectContaining({ Resource: segments })]);
    expect(withAction(roleOf(made, writer), 's3:GetObject')).toEqual([]);
  }
  const replay = roleOf(made, 'Replay');
  const replays = { 'Fn::Sub': `\${ArchiveBucket.Arn}/replays/*` };
  expect(withAction(replay, 's3:PutObject')).toEqual([expect.objectContaining({ Resource: replays })]);
  expect(withAction(replay, 's3:GetObject')).toEqual([expect.objectContaining({ Resource: [segments, replays] })]);
  expect(withAction(replay, 'secretsmanager:GetSecretValue')).toEqual([]);
  expect(JSON.stringify(roleOf(completed({ archive: 'off' }), 'Forward'))).not.toContain('s3:');
});

test('a key of the account encrypts queues, archive, logs and variables, and nothing goes on without it', () => {
  const made = completed({ 'kms-key': key });
  const of = (type: string) => Object.values(made.resources.Resources).filter(({ Type }) => Type === type);
  expect(of('AWS::SQS::Queue').filter(({ Properties }) => Properties.KmsMasterKeyId !== key)).toEqual([]);
  expect(of('AWS::SQS::Queue').filter(({ Properties }) => 'SqsManagedSseEnabled' in Properties)).toEqual([]);
  expect(JSON.stringify(made.resources.Resources.ArchiveBucket)).toContain(`"KMSMasterKeyID":"${key}"`);
  expect(made.provider.kmsKeyArn).toBe(key);
  const groups = Object.values(made.resources.extensions);
  expect(groups).toEqual(Object.keys(made.functions).map(() => ({ Properties: { KmsKeyId: key } })));
  expect(of('AWS::KMS::Key')).toEqual([]);
});

test('roles use the key by way of the services that they use, and who only receives cannot encrypt', () => {
  const made = completed({ 'kms-key': key, 'former-kms-keys': `${key}-old` });
  const via = (...services: string[]) =>
    services.map((service) => ({ 'Fn::Sub': `${service}.\${AWS::Region}.\${AWS::URLSuffix}` }));
  const [using, former] = withAction(roleOf(made, 'MatchTransfer'), 'kms:Decrypt');
  expect(using).toMatchObject({ Action: ['kms:Decrypt'], Resource: [key] });
  expect(using?.Condition?.StringEquals?.['kms:ViaService']).toEqual(via('lambda', 'secretsmanager', 'ssm', 'sqs'));
  expect(former).toMatchObject({ Action: ['kms:Decrypt'], Resource: [`${key}-old`] });
  for (const sender of ['Forward', 'Resync', 'Replay', 'RequestBucket']) {
    expect(withAction(roleOf(made, sender), 'kms:GenerateDataKey')).toHaveLength(1);
  }
  expect(withAction(roleOf(made, 'Replay'), 'kms:Decrypt')[0]?.Condition?.StringEquals).toEqual({
    'kms:ViaService': via('lambda', 'sqs', 's3'),
  });
});

test('a key that is made turns, outlives the stack, and serves the rules of EventBridge and the logs of this deployment', () => {
  const made = completed({ 'kms-key': 'on' });
  const { DeletionPolicy, UpdateReplacePolicy, Properties } = made.resources.Resources.EncryptionKey ?? {};
  expect([DeletionPolicy, UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  expect(Properties?.EnableKeyRotation).toBe(true);
  const statements = statementsOf(Properties?.KeyPolicy);
  const [rules] = statements.filter(({ Sid }) => Sid === 'ForRules');
  expect(rules?.Condition?.ArnEquals).toEqual({
    'kms:EncryptionContext:aws:sqs:arn': ['request-bucket.fifo', 'undelivered-events'].map((queue) =>
      byName('sqs', `longshore-production-${queue}`),
    ),
  });
  const [logs] = statements.filter(({ Sid }) => Sid === 'ForLogs');
  expect(JSON.stringify(logs?.Condition)).toContain('log-group:/aws/lambda/longshore-production-*');
  const withoutRules = completed({ 'kms-key': 'on', capabilities: 'transfers' }).resources.Resources.EncryptionKey;
  expect(JSON.stringify(withoutRules)).not.toContain('events.amazonaws.com');
});

test('in a network Lambda makes interfaces in the name of each role, and the function itself makes none', () => {
  const network = { 'subnet-ids': 'subnet-0123456789abcdef0', 'security-group-ids': 'sg-0123456789abcdef0' };
  const made = completed(network);
  expect(made.provider.vpc).toEqual({
    subnetIds: ['subnet-0123456789abcdef0'],
    securityGroupIds: ['sg-0123456789abcdef0'],
  });
  const [allowed, denied] = withAction(roleOf(made, 'CopySecret'), 'ec2:CreateNetworkInterface');
  expect([allowed?.Effect, denied?.Effect]).toEqual(['Allow', 'Deny']);
  expect(denied?.Action).toEqual(allowed?.Action);
  expect(JSON.stringify(denied?.Condition?.ArnEquals)).toContain('function:longshore-production-copy-secret');
});

test('with senders nobody else may put a message on a queue, whatever rights they have', () => {
  const operators = 'arn:aws:iam::111122223333:role/operators';
  const made = completed({ senders: operators });
  const senders = (name: string) => {
    const [only] = policyOf(made, name).filter(({ Sid }) => Sid === 'OnlyKnownSenders');
    return only?.Condition;
  };
  const arn = (name: string) => ({ 'Fn::GetAtt': [name, 'Arn'] });
  const rules = ['request', 'creation'].map((what) => byName('events', `rule/longshore-production-bucket-${what}`));
  const forwarding = [arn('ForwardRole'), arn('ResyncRole'), arn('ReplayRole')];
  expect(senders('MatchTransferQueue')).toEqual({ ArnNotLike: { 'aws:PrincipalArn': [...forwarding, operators] } });
  expect(senders('MatchTransferDeadLetterQueue')).toEqual({ ArnNotLike: { 'aws:PrincipalArn': [operators] } });
  expect(senders('RequestBucketQueue')).toEqual({
    ArnNotLike: { 'aws:PrincipalArn': [operators] },
    ArnNotEquals: { 'aws:SourceArn': rules },
  });
  expect(senders('UndeliveredEvents')).toEqual(senders('RequestBucketQueue'));
  expect(senders('RequestBucketDeadLetterQueue')).toEqual({
    ArnNotLike: { 'aws:PrincipalArn': [arn('RequestBucketRole'), operators] },
  });
});

test('without senders IAM alone says who may', () => {
  const policies = Object.entries(completed().resources.Resources).filter(([, { Type }]) => /QueuePolicy$/.test(Type));
  expect(policies.length).toBeGreaterThan(20);
  expect(JSON.stringify(policies)).not.toContain('aws:PrincipalArn');
});

const boundary = 'arn:aws:iam::111122223333:policy/buckets';
const giving = ['iam:CreateUser', 'iam:PutUserPolicy', 'iam:CreateRole', 'iam:PutRolePolicy'];

test('with a boundary nothing that gives rights to users and roles is allowed without it', () => {
  const made = completed({ 'permissions-boundary': boundary });
  const rights = roleOf(made, 'ProvisionBucket');
  for (const action of giving) {
    expect(withAction(rights, action)).toEqual([
      expect.objectContaining({ Condition: { StringEquals: { 'iam:PermissionsBoundary': boundary } } }),
    ]);
  }
  expect(withAction(rights, 'iam:DeleteUser')[0]?.Condition).toBeUndefined();
  const told = Object.entries(made.functions).filter(
    ([, { environment }]) => environment.LONGSHORE_PERMISSIONS_BOUNDARY,
  );
  expect(told.map(([name, { environment }]) => [name, environment.LONGSHORE_PERMISSIONS_BOUNDARY])).toEqual([
    ['provision-bucket', boundary],
  ]);
});

test('without a boundary no right has such a condition', () => {
  expect(JSON.stringify(completed().resources)).not.toContain('PermissionsBoundary');
});

test('by a bare name a user or a role is asked about and deleted, and never made or changed', () => {
  const made = completed();
  const bare = (statement: Statement) => /:(user|role)\/cosi-/.test(JSON.stringify(statement.Resource));
  for (const prefix of ['ProvisionBucket', 'SweepBuckets']) {
    const actions = roleOf(made, prefix)
      .filter(bare)
      .flatMap(({ Action }) => Action);
    expect(actions.length).toBeGreaterThan(0);
    expect(actions.filter((action) => !/^iam:(Get|List|Delete)/.test(action))).toEqual([]);
  }
});
