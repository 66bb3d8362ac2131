import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { CloudFormationClient } from '@aws-sdk/client-cloudformation';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { queuesOfStack } from '../../../../lib/recovery/queues/queues-of-stack.ts';

const pageSize = 100;
const template = {
  Resources: {
    StepQueue: {
      Type: 'AWS::SQS::Queue',
      Properties: { QueueName: 'longshore-x-step.fifo', KmsMasterKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } },
    },
  },
};
/** As many as a whole service has; what the queue refers to is the last one. */
const resources = [
  ...Array.from({ length: 250 }, (_, index) => ({
    id: `Role${index}`,
    type: 'AWS::IAM::Role',
    physicalId: `role-${index}`,
  })),
  { id: 'Key', type: 'AWS::KMS::Key', physicalId: 'key-1' },
];

function answerOf(action: string | null, start: number): string {
  const page = resources.slice(start, start + pageSize);
  const members = page.map(
    ({ id, type, physicalId }) =>
      `<member><LogicalResourceId>${id}</LogicalResourceId><ResourceType>${type}</ResourceType><PhysicalResourceId>${physicalId}</PhysicalResourceId></member>`,
  );
  if (action === 'GetTemplate') return `<TemplateBody>${JSON.stringify(template)}</TemplateBody>`;
  if (action === 'DescribeStackResources') return `<StackResources>${members.join('')}</StackResources>`;
  if (action === 'ListStackResources') {
    const next = start + pageSize < resources.length ? `<NextToken>${start + pageSize}</NextToken>` : '';
    return `<StackResourceSummaries>${members.join('')}</StackResourceSummaries>${next}`;
  }
  const id = 'arn:aws:cloudformation:eu-central-1:111122223333:stack/longshore-x/1';
  const tags = '<Tags><member><Key>application</Key><Value>longshore</Value></member></Tags>';
  return `<Stacks><member><StackId>${id}</StackId>${tags}</member></Stacks>`;
}

/** Of CloudFormation what is asked here, by pages as it answers them. */
const server = createServer(async (request, response) => {
  const asked = new URLSearchParams(await text(request));
  const action = asked.get('Action');
  const answer = answerOf(action, Number(asked.get('NextToken') ?? 0));
  response.end(`<${action}Response><${action}Result>${answer}</${action}Result></${action}Response>`);
});
let client: CloudFormationClient;

beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
  client = new CloudFormationClient({ endpoint, region: 'eu-central-1', credentials });
});

afterAll(() => {
  client.destroy();
  server.close();
});

test('a stack of more resources than AWS tells at once has all its queues, with what they refer to', async () => {
  expect(await queuesOfStack('longshore-x', client)).toEqual({
    wanted: [
      {
        name: 'longshore-x-step.fifo',
        attributes: { KmsMasterKeyId: 'arn:aws:kms:eu-central-1:111122223333:key/key-1' },
      },
    ],
    tags: { application: 'longshore' },
  });
});
