import { archiveArn, replays, segments } from './archive.ts';
import type { DeploymentContext } from './deployment-context.ts';
import { keyStatements } from './encryption.ts';
import { type FunctionBlock, prefixOf, queueOf, type Resource } from './service.ts';
import { allow, arnByName, arnOf, policyOf, type Statement } from './statements.ts';

/** Each function has its own role, with the permissions that its block states and no more. */
export function roleResources(name: string, context: DeploymentContext): Record<string, Resource> {
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
        Policies: [{ PolicyName: name, PolicyDocument: policyOf(...statementsOf(name, context)) }],
      },
    },
  };
}

function statementsOf(name: string, context: DeploymentContext): Statement[] {
  const { service, parameters } = context;
  const block = service.functions[name] ?? {};
  return [
    log(name, context),
    ...(block.clusters === false ? [] : credentials(name, context)),
    ...messages(block, service.functions),
    ...(parameters.archive ? archive(block) : []),
    ...(block.may ?? []).flatMap((statement) => withBoundary(statement, parameters['permissions-boundary'])),
    ...keyStatements(name, context),
    ...(parameters.tracing === 'Active' ? [traces] : []),
    ...(parameters['subnet-ids'].length > 0 ? network(name, context.name) : []),
  ];
}

/** Actions that grant permissions to users and roles. */
const grantingActions = ['iam:CreateUser', 'iam:CreateRole', 'iam:PutUserPolicy', 'iam:PutRolePolicy'];

/** A function that creates users and gives them policies could create an administrator, without a boundary on each. */
function withBoundary(statement: Statement, boundary: string | undefined): Statement[] {
  const actions = [statement.Action].flat();
  const given = actions.filter((action) => grantingActions.includes(action));
  if (!boundary || given.length === 0) return [statement];
  const others = actions.filter((action) => !grantingActions.includes(action));
  const Condition = { ...statement.Condition, StringEquals: { 'iam:PermissionsBoundary': boundary } };
  return [{ ...statement, Action: given, Condition }, ...(others.length > 0 ? [{ ...statement, Action: others }] : [])];
}

/** True if a function may grant permissions to users and roles. */
export function grantsPermissions({ may = [] }: FunctionBlock): boolean {
  return may.some(({ Action }) => [Action].flat().some((action) => grantingActions.includes(action)));
}

function log(name: string, { name: deployment }: DeploymentContext): Statement {
  const streams = arnByName('logs', `log-group:/aws/lambda/${deployment}-${name}:*`);
  return allow(['logs:CreateLogStream', 'logs:PutLogEvents'], streams);
}

/** Its own for each cluster, in either store. Secrets Manager appends six characters to names. */
function credentials(name: string, { service: { service }, stage }: DeploymentContext): Statement[] {
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
    // SendMessage, and SendMessageBatch where that is a separate action.
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

/** These actions support no other resource. */
const traces = allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], '*');

/**
 * Lambda creates the function's network interfaces with its role, and these actions support no narrower resource. The
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
