import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse, parseAllDocuments } from 'yaml';
import { completed } from '../../support/completed-service.ts';

const root = new URL('../../../', import.meta.url);
const read = (path: string) => readFile(new URL(path, root), 'utf8');
const customTags = ['!Ref', '!Sub', '!Equals', '!ImportValue'].flatMap((tag) => [
  { tag, resolve: (value: string) => ({ [tag]: value }) },
  { tag, collection: 'seq' as const, resolve: (value: { toJSON(): unknown }) => ({ [tag]: value.toJSON() }) },
  { tag, collection: 'map' as const, resolve: (value: { toJSON(): unknown }) => ({ [tag]: value.toJSON() }) },
]);

const { functions, resources } = completed({ 'kms-key': 'on' });
const callers = Object.entries(functions).filter(([, { clusters }]) => clusters !== false);

interface AccessEntry {
  Condition?: string;
  Properties: { PrincipalArn: unknown; KubernetesGroups: string[] };
}

test('eks-access.yml lets each function that calls clusters in by its role, with a group of its own', async () => {
  const { Resources } = parse(await read('deployment/eks-access.yml'), { customTags }) as {
    Resources: Record<string, AccessEntry>;
  };
  const conditions: Record<string, string> = { transfers: 'HasTransfers', buckets: 'HasBuckets' };
  expect(Object.values(Resources)).toEqual(
    callers.map(([name, { capability }]) => ({
      Type: 'AWS::EKS::AccessEntry',
      ...(capability ? { Condition: conditions[capability] ?? 'HasDataSources' } : {}),
      Properties: {
        ClusterName: { '!Ref': 'Cluster' },
        PrincipalArn: { '!ImportValue': { 'Fn::Sub': `\${Deployment}-${name}-role` } },
        KubernetesGroups: [`longshore:${name}`],
      },
    })),
  );
  const exported = Object.values(resources.Outputs).flatMap(({ Export }) => Export?.Name ?? []);
  expect(exported).toEqual(expect.arrayContaining(callers.map(([name]) => `longshore-production-${name}-role`)));
});

interface Binding {
  kind: string;
  metadata: { name: string; namespace?: string };
  roleRef: object;
  subjects: { kind: string; name: string }[];
}

test('eks-groups.yaml binds to those groups what manifests/rbac binds to the service accounts', async () => {
  const files = await readdir(new URL('manifests/rbac/', root));
  const manifests = await Promise.all(files.sort().map((name) => read(`manifests/rbac/${name}`)));
  const bindings = manifests.flatMap(bindingsIn);
  const bound = ({ kind, metadata, roleRef, subjects }: Binding, prefix: string, suffix: string) => ({
    kind,
    metadata: { ...metadata, name: `${metadata.name}${suffix}` },
    roleRef,
    subjects: subjects.map(({ name }) => `${prefix}${name}`),
  });
  const groups = bindingsIn(await read('deployment/eks-groups.yaml'));
  expect(groups.flatMap(({ subjects }) => subjects).filter(({ kind }) => kind !== 'Group')).toEqual([]);
  expect(groups.map((each) => bound(each, '', ''))).toEqual(bindings.map((each) => bound(each, 'longshore:', '-eks')));
});

function bindingsIn(text: string): Binding[] {
  const all = parseAllDocuments(text).map((document) => document.toJSON() as Binding);
  return all.filter(({ kind }) => kind.endsWith('RoleBinding'));
}

/** What CloudFormation calls in the name of whoever deploys: the registry of resource types says so of each. */
const calls: Record<string, string> = {
  'AWS::CloudWatch::Alarm': 'cloudwatch: PutMetricAlarm DescribeAlarms DeleteAlarms TagResource ListTagsForResource',
  'AWS::CloudWatch::Dashboard': 'cloudwatch: PutDashboard GetDashboard DeleteDashboards TagResource',
  'AWS::Events::Rule': 'events: PutRule PutTargets DescribeRule ListTargetsByRule RemoveTargets DeleteRule TagResource',
  'AWS::IAM::Role':
    'iam: CreateRole GetRole DeleteRole PutRolePolicy GetRolePolicy DeleteRolePolicy ListRolePolicies ListAttachedRolePolicies UpdateAssumeRolePolicy UpdateRole TagRole PassRole',
  'AWS::KMS::Alias': 'kms: CreateAlias UpdateAlias DeleteAlias',
  'AWS::KMS::Key':
    'kms: CreateKey DescribeKey EnableKeyRotation PutKeyPolicy UpdateKeyDescription ScheduleKeyDeletion TagResource ListResourceTags',
  'AWS::Lambda::EventInvokeConfig':
    'lambda: PutFunctionEventInvokeConfig UpdateFunctionEventInvokeConfig DeleteFunctionEventInvokeConfig',
  'AWS::Lambda::EventSourceMapping':
    'lambda: CreateEventSourceMapping GetEventSourceMapping UpdateEventSourceMapping DeleteEventSourceMapping TagResource',
  'AWS::Lambda::Function':
    'lambda: CreateFunction GetFunction DeleteFunction UpdateFunctionCode UpdateFunctionConfiguration PutFunctionConcurrency DeleteFunctionConcurrency GetFunctionCodeSigningConfig GetRuntimeManagementConfig GetFunctionRecursionConfig TagResource UntagResource',
  'AWS::Lambda::Permission': 'lambda: AddPermission RemovePermission GetPolicy',
  'AWS::Logs::LogGroup':
    'logs: CreateLogGroup DescribeLogGroups DeleteLogGroup PutRetentionPolicy AssociateKmsKey DisassociateKmsKey TagResource ListTagsForResource',
  'AWS::S3::Bucket':
    's3: CreateBucket DeleteBucket ListBucket PutEncryptionConfiguration PutLifecycleConfiguration PutBucketPublicAccessBlock PutBucketOwnershipControls PutBucketVersioning PutBucketTagging TagResource',
  'AWS::S3::BucketPolicy': 's3: PutBucketPolicy GetBucketPolicy DeleteBucketPolicy',
  'AWS::SQS::Queue':
    'sqs: CreateQueue GetQueueUrl GetQueueAttributes SetQueueAttributes DeleteQueue TagQueue ListQueueTags UntagQueue',
  'AWS::SQS::QueuePolicy': 'sqs: SetQueueAttributes',
};
/** What osls makes of the blocks of functions. */
const byServerless = [
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::Logs::LogGroup',
];

test('whoever deploys may do what each resource of a deployment needs, by deployer.yml', async () => {
  const types = new Set([...byServerless, ...Object.values(resources.Resources).map(({ Type }) => Type)]);
  expect([...types].sort()).toEqual(Object.keys(calls).sort());
  const { Resources } = parse(await read('deployment/deployer.yml'), { customTags }) as {
    Resources: Record<string, { Properties: { PolicyDocument: { Statement: { Action: string | string[] }[] } } }>;
  };
  const statements = Object.values(Resources).flatMap(({ Properties }) => Properties.PolicyDocument.Statement);
  const allowed = statements.flatMap(({ Action }) => Action).map(asPattern);
  const needed = [...types].flatMap((type) => {
    const [service = '', ...actions] = (calls[type] ?? '').split(' ');
    return actions.map((action) => `${service}${action}`);
  });
  expect(needed.filter((action) => !allowed.some((pattern) => pattern.test(action)))).toEqual([]);
});

function asPattern(action: string): RegExp {
  return new RegExp(`^${action.replaceAll('*', '.*')}$`);
}
