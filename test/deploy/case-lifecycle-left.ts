import { CloudWatchLogsClient, DescribeLogGroupsCommand } from '@aws-sdk/client-cloudwatch-logs';
import { EventBridgeClient, ListRulesCommand } from '@aws-sdk/client-eventbridge';
import { IAMClient, ListRolesCommand } from '@aws-sdk/client-iam';
import { ListFunctionsCommand } from '@aws-sdk/client-lambda';
import { ListBucketsCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand } from '@aws-sdk/client-sqs';
import type { TestStack } from '../support/deployed-stack.ts';
import { ask } from './case-lifecycle.ts';

/** Everything in this AWS that is called after a deployment. */
export async function calledAfter(deployed: TestStack, name: string): Promise<string[]> {
  const { settings, lambda, sqs } = deployed;
  const s3 = new S3Client(settings);
  const [logs, events, iam] = [
    new CloudWatchLogsClient(settings),
    new EventBridgeClient(settings),
    new IAMClient(settings),
  ];
  try {
    const { Functions = [] } = await lambda.send(new ListFunctionsCommand({}));
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({ QueueNamePrefix: name }));
    const { logGroups = [] } = await logs.send(
      new DescribeLogGroupsCommand({ logGroupNamePrefix: `/aws/lambda/${name}` }),
    );
    const { Rules = [] } = await events.send(new ListRulesCommand({ NamePrefix: name }));
    const { Roles = [] } = await iam.send(new ListRolesCommand({}));
    const { Buckets = [] } = await s3.send(new ListBucketsCommand({}));
    const alarms = await ask(deployed, 'monitoring', { action: 'DescribeAlarms', fields: { AlarmNamePrefix: name } });
    const dashboards = await ask(deployed, 'monitoring', { action: 'ListDashboards' });
    const names = [
      ...Functions.map(({ FunctionName = '' }) => FunctionName),
      ...QueueUrls.map((url) => url.slice(url.lastIndexOf('/') + 1)),
      ...logGroups.map(({ logGroupName = '' }) => logGroupName.replace('/aws/lambda/', '')),
      ...Rules.map(({ Name = '' }) => Name),
      ...Roles.map(({ RoleName = '' }) => RoleName),
      ...Buckets.map(({ Name = '' }) => Name),
      ...[...alarms.matchAll(/<AlarmName>([^<]+)/g), ...dashboards.matchAll(/<DashboardName>([^<]+)/g)].map(
        ([, each = '']) => each,
      ),
    ];
    return names.filter((each) => each.startsWith(name));
  } finally {
    for (const client of [logs, events, iam, s3]) client.destroy();
  }
}
