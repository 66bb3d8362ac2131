import { archiveArn, replays, segments } from './archive.ts';
import { keyStatements } from './encryption.ts';
import { type FunctionBlock, prefixOf, queueOf, type Resource } from './service.ts';
import { allow, arnByName, arnOf, policyOf, type Statement } from './statements.ts';
import type { Surroundings } from './surroundings.ts';

/** Each function has a role of its own, which may what its block says and no more. */
export function roleResources(name: string, surroundings: Surroundings): Record<string, Resource> {
  const lambda: Statement = {
    Effect: 'Allow',
    Principal: { Service: 'lambda.amazonaws.com' },
    Action: 'sts:AssumeRole',
  };
  return {
    [`${prefixOf(name)}Role`]: {
      Type: 'AWS::IAM::Role',
      Properties: {
        AssumeRolePolicyDocument: policyOf(lambda),
        Policies: [{ PolicyName: name, PolicyDocument: policyOf(...statementsOf(name, surroundings)) }],
      },
    },
  };
}

function statementsOf(name: string, surroundings: Surroundings): Statement[] {
  const { service, parameters } = surroundings;
  const block = service.functions[name] ?? {};
  return [
    log(name, surroundings),
    ...(block.clusters === false ? [] : credentials(name, surroundings)),
    ...messages(block, service.functions),
    ...(parameters.archive ? archive(block) : []),
    ...(block.may ?? []).flatMap((statement) => within(statement, parameters['permissions-boundary'])),
    ...keyStatements(name, surroundings),
    ...(parameters.tracing === 'Active' ? [traces] : []),
    ...(parameters['subnet-ids'].length > 0 ? network(name, surroundings.name) : []),
  ];
}

/** What gives rights to users and roles. */
const giving = ['iam:CreateUser', 'iam:CreateRole', 'iam:PutUserPolicy', 'iam:PutRolePolicy'];

/** Whoever makes users and gives them policies could make an administrator, if no boundary went with each of them. */
function within(statement: Statement, boundary: string | undefined): Statement[] {
  const actions = [statement.Action].flat();
  const given = actions.filter((action) => giving.includes(action));
  if (!boundary || given.length === 0) return [statement];
  const others = actions.filter((action) => !giving.includes(action));
  const Condition = { ...statement.Condition, StringEquals: { 'iam:PermissionsBoundary': boundary } };
  return [{ ...statement, Action: given, Condition }, ...(others.length > 0 ? [{ ...statement, Action: others }] : [])];
}

/** Whether a function may give rights to users and roles. */
export function isGiving({ may = [] }: FunctionBlock): boolean {
  return may.some(({ Action }) => [Action].flat().some((action) => giving.includes(action)));
}

function log(name: string, { name: deployment }: Surroundings): Statement {
  const streams = arnByName('logs', `log-group:/aws/lambda/${deployment}-${name}:*`);
  return allow(['logs:CreateLogStream', 'logs:PutLogEvents'], streams);
}

/** Its own for each cluster, wherever they are kept. Secrets Manager appends six characters to names. */
function credentials(name: string, { service: { service }, stage }: Surroundings): Statement[] {
  const place = `${service}/${stage}/clusters/*/${name}`;
  return [
    allow('secretsmanager:GetSecretValue', arnByName('secretsmanager', `secret:${place}-??????`)),
    allow('ssm:GetParameter', arnByName('ssm', `parameter/${place}`)),
  ];
}

function messages(block: FunctionBlock, functions: Readonly<Record<string, FunctionBlock>>): Statement[] {
  const { sendsTo = [], queueDepths } = block;
  const queues = sendsTo.flatMap((each) => queueOf(functions[each] ?? {}) ?? []);
  const own = queueOf(block);
  const consume = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:ChangeMessageVisibility', 'sqs:GetQueueAttributes'];
  return [
    // SendMessage, and SendMessageBatch where that is an action of its own.
    ...(queues.length > 0 ? [allow('sqs:SendMessage*', queues.map(arnOf))] : []),
    ...(queueDepths === 'read' ? [allow('sqs:GetQueueAttributes', queues.map(arnOf))] : []),
    ...(own ? [allow(consume, arnOf(own))] : []),
  ];
}

function archive({ archive: use }: FunctionBlock): Statement[] {
  if (use === 'write') return [allow('s3:PutObject', segments)];
  if (use === undefined) return [];
  return [
    allow('s3:GetObject', [segments, replays]),
    allow('s3:PutObject', replays),
    allow('s3:ListBucket', archiveArn),
  ];
}

/** These actions know no other resource. */
const traces = allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*');

/**
 * Lambda makes the function's network interfaces in the name of its role, and these actions know no narrower resource. The
 * function itself may not use them.
 */
function network(name: string, deployment: string): Statement[] {
  const actions = [
    'ec2:CreateNetworkInterface',
    'ec2:DescribeNetworkInterfaces',
    'ec2:DescribeSubnets',
    'ec2:DeleteNetworkInterface',
    'ec2:AssignPrivateIpAddresses',
    'ec2:UnassignPrivateIpAddresses',
  ];
  const itself = arnByName('lambda', `function:${deployment}-${name}`);
  return [
    allow(actions, '*'),
    {
      Effect: 'Deny',
      Action: actions,
      Resource: '*',
      Condition: { ArnEquals: { 'lambda:SourceFunctionArn': itself } },
    },
  ];
}
