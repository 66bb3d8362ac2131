/** One statement of an IAM policy. */
export interface Statement {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Principal?: unknown;
  Action: string | readonly string[];
  /** Missing in a role's trust policy. */
  Resource?: unknown;
  Condition?: Record<string, Record<string, unknown>>;
}

export function allow(action: string | readonly string[], resource: unknown): Statement {
  return { Effect: 'Allow', Action: action, Resource: resource };
}

export function policyOf(...statements: readonly Statement[]): object {
  return { Version: '2012-10-17', Statement: statements };
}

export const arnOf = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] });
export const substituted = (text: string) => ({ 'Fn::Sub': text });

/** CloudFormation's pseudo parameters. */
export const partition = `\${AWS::Partition}`;
export const region = `\${AWS::Region}`;
export const account = `\${AWS::AccountId}`;
export const urlSuffix = `\${AWS::URLSuffix}`;

/** An ARN by name in this account and region: where a reference would be circular, or the resource is created elsewhere. */
export const arnByName = (service: string, name: string) =>
  substituted(`arn:${partition}:${service}:${region}:${account}:${name}`);

/** An explicit deny, which overrides every allow. */
export function onlyEncrypted(action: string | readonly string[], resource: unknown): Statement {
  return {
    Sid: 'OnlyEncryptedConnections',
    Effect: 'Deny',
    Principal: '*',
    Action: action,
    Resource: resource,
    Condition: { Bool: { 'aws:SecureTransport': 'false' } },
  };
}
