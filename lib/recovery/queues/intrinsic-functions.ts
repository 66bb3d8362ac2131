/** The stack's values to which its template refers, by logical id. */
export interface StackFacts {
  partition: string;
  region: string;
  account: string;
  resources: ReadonlyMap<string, { type: string; physicalId: string }>;
  /** The names of queues, by logical id: a deleted queue still has one. */
  queueNames: ReadonlyMap<string, string>;
}

/** Resolves CloudFormation's intrinsic functions, as far as queues and their policies use them. */
export function resolve(value: unknown, facts: StackFacts): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, facts));
  if (typeof value !== 'object' || value === null) return value;
  const [[name, argument] = ['', undefined], ...others] = Object.entries(value);
  const isFunction = others.length === 0 && (name === 'Ref' || name.startsWith('Fn::'));
  if (isFunction) return resolveFunction(name, argument, facts);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, resolve(each, facts)]));
}

function resolveFunction(name: string, argument: unknown, facts: StackFacts): unknown {
  if (name === 'Ref') return resolveRef(String(argument), facts);
  if (name === 'Fn::Sub' && typeof argument === 'string') return substitute(argument, facts);
  if (name === 'Fn::Join' && Array.isArray(argument)) {
    const [separator, parts] = resolve(argument, facts) as [string, string[]];
    return parts.join(separator);
  }
  if (name === 'Fn::GetAtt') {
    const [id = '', attribute = ''] = Array.isArray(argument) ? argument.map(String) : String(argument).split('.');
    return attributeOf(id, attribute, facts);
  }
  throw new Error(`the template has ${name}, which is not supported here: ${JSON.stringify(argument)}`);
}

function substitute(text: string, facts: StackFacts): string {
  return text.replaceAll(/\$\{([^!][^}]*)\}/g, (_, inner: string) => {
    const [id = '', attribute] = inner.includes('::') ? [inner] : inner.split('.');
    return attribute === undefined ? resolveRef(id, facts) : attributeOf(id, attribute, facts);
  });
}

function resolveRef(id: string, facts: StackFacts): string {
  const { partition, region, account } = facts;
  const pseudo: Record<string, string> = {
    'AWS::Partition': partition,
    'AWS::Region': region,
    'AWS::AccountId': account,
    'AWS::URLSuffix': partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com',
  };
  return pseudo[id] ?? resourceOf(id, facts).physicalId;
}

/** The parts of an ARN by resource type, without partition, region and account. */
const arns: Record<string, { service: string; global?: boolean; prefix: string }> = {
  'AWS::IAM::Role': { service: 'iam', global: true, prefix: 'role/' },
  'AWS::Events::Rule': { service: 'events', prefix: 'rule/' },
  'AWS::KMS::Key': { service: 'kms', prefix: 'key/' },
};

function attributeOf(id: string, attribute: string, facts: StackFacts): string {
  const { partition, region, account, queueNames } = facts;
  const queueName = queueNames.get(id);
  if (queueName !== undefined && attribute === 'Arn') return `arn:${partition}:sqs:${region}:${account}:${queueName}`;
  const { type, physicalId } = resourceOf(id, facts);
  const arn = arns[type];
  if (arn === undefined || attribute !== 'Arn') {
    throw new Error(`the template has ${id}.${attribute}, of a ${type}, which is not supported here`);
  }
  if (physicalId.startsWith('arn:')) return physicalId;
  return `arn:${partition}:${arn.service}:${arn.global ? '' : region}:${account}:${arn.prefix}${physicalId}`;
}

function resourceOf(id: string, { resources }: StackFacts) {
  const found = resources.get(id);
  if (!found) throw new Error(`the stack has no ${id}, to which its template refers`);
  return found;
}
