import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  CloudFormationClient,
  CreateStackCommand,
  DescribeStacksCommand,
  waitUntilStackCreateComplete,
} from '@aws-sdk/client-cloudformation';
import {
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateUserCommand,
  IAMClient,
  PutUserPolicyCommand,
} from '@aws-sdk/client-iam';
import { SQSClient } from '@aws-sdk/client-sqs';
import type { Deployment } from '../../tools/local-aws/deploy.ts';
import type { TestStack } from '../support/deployed-stack.ts';

const repository = fileURLToPath(new URL('../..', import.meta.url));

/** With the keys of somebody who has what deployment/deployer.yml gives, and nothing else. */
export async function asDeployer(deployed: TestStack, deployment: string): Promise<Deployment['localAws']> {
  const policies = await deployerPolicies(deployed.settings, deployment);
  const { accessKeyId, secretAccessKey } = await newUser(deployed, 'deployer', async (iam, UserName) => {
    for (const PolicyArn of policies) await iam.send(new AttachUserPolicyCommand({ UserName, PolicyArn }));
  });
  const { localAws } = deployed;
  const keys = { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey };
  return { ...localAws, environment: { ...localAws.environment, ...keys } };
}

/** A client of SQS with every right that IAM can give there. */
export async function withAllOfSqs(deployed: TestStack, prefix: string): Promise<SQSClient> {
  const Statement = [{ Effect: 'Allow', Action: 'sqs:*', Resource: '*' }];
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement });
  const credentials = await newUser(deployed, prefix, async (iam, UserName) => {
    await iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'all-of-sqs', PolicyDocument }));
  });
  return new SQSClient({ ...deployed.settings, credentials });
}

async function newUser(
  { settings }: TestStack,
  prefix: string,
  give: (iam: IAMClient, UserName: string) => Promise<void>,
): Promise<{ accessKeyId: string; secretAccessKey: string }> {
  const iam = new IAMClient(settings);
  try {
    const UserName = `${prefix}-${randomBytes(4).toString('hex')}`;
    await iam.send(new CreateUserCommand({ UserName }));
    await give(iam, UserName);
    const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName }));
    return { accessKeyId: AccessKey?.AccessKeyId ?? '', secretAccessKey: AccessKey?.SecretAccessKey ?? '' };
  } finally {
    iam.destroy();
  }
}

async function deployerPolicies(settings: TestStack['settings'], deployment: string): Promise<string[]> {
  const client = new CloudFormationClient(settings);
  try {
    const StackName = `${deployment}-deployer`;
    const parameters = { Deployment: deployment, EncryptionKey: 'yes' };
    const create = new CreateStackCommand({
      StackName,
      TemplateBody: await readFile(join(repository, 'deployment', 'deployer.yml'), 'utf8'),
      Capabilities: ['CAPABILITY_NAMED_IAM'],
      Parameters: Object.entries(parameters).map(([ParameterKey, ParameterValue]) => ({
        ParameterKey,
        ParameterValue,
      })),
    });
    await client.send(create);
    await waitUntilStackCreateComplete({ client, maxWaitTime: 30, minDelay: 1, maxDelay: 1 }, { StackName });
    const { Stacks: [stack] = [] } = await client.send(new DescribeStacksCommand({ StackName }));
    return (stack?.Outputs ?? []).flatMap(({ OutputValue }) => OutputValue ?? []);
  } finally {
    client.destroy();
  }
}

/** This repository as a later release, whose messages are of the next version and which understands those of this one. */
export async function laterRelease(within: string): Promise<string> {
  const root = await mkdtemp(join(within, 'later-'));
  for (const name of ['functions', 'lib', 'serverless.yml'])
    await cp(join(repository, name), join(root, name), { recursive: true });
  for (const name of ['deployment', 'node_modules', 'package.json', 'tools', 'tsconfig.json']) {
    await symlink(join(repository, name), join(root, name));
  }
  const path = join(root, 'lib', 'queue', 'unusable-message.ts');
  const source = await readFile(path, 'utf8');
  const changed = source.replace('messageVersion = 1;', 'messageVersion = 2;');
  if (changed === source) throw new Error('lib/queue/unusable-message.ts does not say which version it writes');
  await writeFile(path, changed);
  return root;
}

/** Asks the local AWS by an action that no client here has. */
export async function ask(
  { localAws }: TestStack,
  service: string,
  request: { target: string; body: object } | { action: string; fields?: Record<string, string> },
): Promise<string> {
  const { endpoint, region, credentials } = localAws;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credentials.accessKeyId}/20200101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`;
  const form =
    'target' in request
      ? {
          headers: { authorization, 'x-amz-target': request.target, 'content-type': 'application/x-amz-json-1.1' },
          body: JSON.stringify(request.body),
        }
      : { headers: { authorization }, body: new URLSearchParams({ Action: request.action, ...request.fields }) };
  const answer = await fetch(endpoint, { method: 'POST', ...form });
  return answer.text();
}
