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
import type { Surroundings } from './surroundings.ts';

const ownKey = 'EncryptionKey';

/** The key with which everything that is kept is encrypted, or undefined where that is left to keys of AWS. */
export function keyOf({ parameters }: Surroundings): unknown {
  const { 'kms-key': key } = parameters;
  if (key === 'off') return undefined;
  return key === 'on' ? arnOf(ownKey) : key;
}

/**
 * A key of this deployment. It outlives the stack, as without it nothing in the archive could be read any more; but not the
 * rollback of the deployment that made it, as each attempt would leave a key behind.
 */
export function keyResources({ service, parameters, name }: Surroundings): Record<string, Resource> {
  if (parameters['kms-key'] !== 'on') return {};
  return {
    [ownKey]: {
      Type: 'AWS::KMS::Key',
      DeletionPolicy: 'RetainExceptOnCreate',
      UpdateReplacePolicy: 'Retain',
      Properties: {
        Description: `Queues, archive, logs and variables of ${name}`,
        EnableKeyRotation: true,
        // By which it is known to whoever may make it, and who can tag no other key: see deployment/deployer.yml.
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

/** Who may use the key is decided by IAM, as for everything else here. */
const byIam: Statement = {
  Sid: 'ByIam',
  Effect: 'Allow',
  Principal: { AWS: substituted(`arn:${partition}:iam::${account}:root`) },
  Action: 'kms:*',
  Resource: '*',
};

/** Services that are no role of ours have to be allowed here, each for what is ours alone. */
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

/** By name: the queues need the key, and would be waited for. */
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

/** What a role needs of the key: only through the services that it uses anyway. */
export function keyStatements(name: string, surroundings: Surroundings): Statement[] {
  const key = keyOf(surroundings);
  const former = surroundings.parameters['former-kms-keys'];
  const block = surroundings.service.functions[name] ?? {};
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
    // What was encrypted before the key was changed.
    ...(former.length > 0 ? [using(['kms:Decrypt'], former)] : []),
  ];
}

/** The logs are groups that osls makes. */
export function logExtensions(surroundings: Surroundings): Resources['extensions'] {
  const key = keyOf(surroundings);
  if (!key) return {};
  const groups = Object.keys(surroundings.service.functions).map((name) => `${prefixByServerless(name)}LogGroup`);
  return Object.fromEntries(groups.map((group) => [group, { Properties: { KmsKeyId: key } }]));
}
