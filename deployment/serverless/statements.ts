/** One statement of a policy, as IAM and CloudFormation have it. */
export interface Statement {
  Sid?: string;
  Effect: 'Allow' | 'Deny';
  Principal?: unknown;
  Action: string | readonly string[];
  /** What a role may be assumed by has none. */
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

/** What CloudFormation knows of the place that it deploys to. */
export const partition = `\${AWS::Partition}`;
export const region = `\${AWS::Region}`;
export const account = `\${AWS::AccountId}`;
export const urlSuffix = `\${AWS::URLSuffix}`;

/** The ARN of something by its name, of here: for where referring to it would be a circle, or it is made elsewhere. */
export const arnByName = (service: string, name: string) =>
  substituted(`arn:${partition}:${service}:${region}:${account}:${name}`);

/** Whoever is refused here is refused in spite of all that others allow. */
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
