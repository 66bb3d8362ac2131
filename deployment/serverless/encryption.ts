import type { DeploymentContext } from './deployment-context.ts';
import {
  maySend,
  prefixByServerless,
  queueOf,
  type Resource,
  type Resources,
  type Service,
  undeliveredName,
} from './service.ts';
import {
  account,
  arnByName,
  arnOf,
  partition,
  policyOf,
  region,
  type Statement,
  substituted,
  urlSuffix,
} from './statements.ts';

const ownKey = 'EncryptionKey';

/** The KMS key for all stored data, or undefined for keys of AWS. */
export function keyOf({ parameters }: DeploymentContext): unknown {
  const { 'kms-key': key } = parameters;
  if (key === 'off') return undefined;
  return key === 'on' ? arnOf(ownKey) : key;
}

/**
 * The deployment's own key. It outlives the stack, as without it the archive could no longer be read; but not the rollback of
 * the deployment that created it, as each attempt would leave a key behind.
 */
export function keyResources({ service, parameters, name }: DeploymentContext): Record<string, Resource> {
  if (parameters['kms-key'] !== 'on') return {};
  return {
    [ownKey]: {
      Type: 'AWS::KMS::Key',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Description: `Queues, archive, logs and variables of ${name}`,
        EnableKeyRotation: true,
        // The deployer's permissions are tied to this tag, and it can tag no other key: see deployment/deployer.yml.
        Tags: [{ Key: 'application', Value: 'longshore' }],
        KeyPolicy: policyOf(byIam, ofLogs(name), ...ofRules(name, service)),
      },
    },
    EncryptionKeyAlias: {
      Type: 'AWS::KMS::Alias',
      Properties: { AliasName: `alias/${name}`, TargetKeyId: { Ref: ownKey } },
    },
  };
}

/** IAM decides who may use the key, as for everything else here. */
const byIam: Statement = {
  Sid: 'ByIam',
  Effect: 'Allow',
  Principal: { AWS: substituted(`arn:${partition}:iam::${account}:root`) },
  Action: 'kms:*',
  Resource: '*',
};

/** AWS services must be allowed here, each only for this deployment's resources. */
function ofLogs(name: string): Statement {
  const groups = arnByName('logs', `log-group:/aws/lambda/${name}-*`);
  return {
    Sid: 'ForLogs',
    Effect: 'Allow',
    Principal: { Service: substituted(`logs.${region}.amazonaws.com`) },
    Action: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
    Resource: '*',
    Condition: { ArnLike: { 'kms:EncryptionContext:aws:logs:arn': groups } },
  };
}

/** By name, as a reference to the rules would be circular: the queues need the key. */
function ofRules(deployment: string, { functions }: Service): Statement[] {
  const fed = Object.keys(functions).filter((name) => functions[name]?.rules);
  if (fed.length === 0) return [];
  const queues = [...fed.map((name) => `${deployment}-${name}.fifo`), undeliveredName(deployment)];
  return [
    {
      Sid: 'ForRules',
      Effect: 'Allow',
      Principal: { Service: 'events.amazonaws.com' },
      Action: ['kms:Decrypt', 'kms:GenerateDataKey'],
      Resource: '*',
      Condition: {
        ArnEquals: { 'kms:EncryptionContext:aws:sqs:arn': queues.map((queue) => arnByName('sqs', queue)) },
      },
    },
  ];
}

/** A role's permissions for the key: only through the services that it uses anyway. */
export function keyStatements(name: string, context: DeploymentContext): Statement[] {
  const key = keyOf(context);
  const former = context.parameters['former-kms-keys'];
  const block = context.service.functions[name] ?? {};
  const services = ['lambda'];
  if (block.clusters !== false) services.push('secretsmanager', 'ssm');
  if (queueOf(block) || block.sendsTo || maySend(block)) services.push('sqs');
  if (block.archive) services.push('s3');
  const writes = block.sendsTo !== undefined || block.archive !== undefined || maySend(block);
  const using = (action: string[], keys: unknown[]): Statement => ({
    Effect: 'Allow',
    Action: action,
    Resource: keys,
    Condition: {
      StringEquals: {
        'kms:ViaService': services.map((each) => substituted(`${each}.${region}.${urlSuffix}`)),
      },
    },
  });
  return [
    ...(key ? [using(writes ? ['kms:Decrypt', 'kms:GenerateDataKey'] : ['kms:Decrypt'], [key])] : []),
    // For data that was encrypted before the key was changed.
    ...(former.length > 0 ? [using(['kms:Decrypt'], former)] : []),
  ];
}

/** osls generates the log groups. */
export function logExtensions(context: DeploymentContext): Resources['extensions'] {
  const key = keyOf(context);
  if (!key) return {};
  const groups = Object.keys(context.service.functions).map((name) => `${prefixByServerless(name)}LogGroup`);
  return Object.fromEntries(groups.map((group) => [group, { Properties: { KmsKeyId: key } }]));
}
