/** A check that some resources do not pass, and the reason why that is right. */
export interface Exception {
  readonly check: string;
  /** The resources' logical ids. */
  readonly resources: RegExp;
  /** The templates; all of them, if undefined. */
  readonly templates?: readonly string[];
  readonly because: string;
}

/** By default, these are left to AWS-managed keys, to Lambda's own network and to the account's limits. */
const byDefault = { templates: ['default'] };

/** Every exception has to be needed: an unneeded one fails the check, like a finding without an exception. */
export const exceptions: readonly Exception[] = [
  {
    ...byDefault,
    check: 'CKV_AWS_27',
    resources: /(Queue|UndeliveredEvents)$/,
    because:
      'Queues are encrypted with keys of SQS (SqsManagedSseEnabled), which the check does not know. The parameter kms-key gives them a key of the account, and then the check passes.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_158',
    resources: /LogGroup$/,
    because:
      'CloudWatch encrypts all logs with its own keys. They contain names and reasons, but no contents of objects and no secrets. With kms-key they use a key of the account.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_173',
    resources: /LambdaFunction$/,
    because:
      'Lambda encrypts all variables with its own key. They only say where things are: credentials are in Secrets Manager. With kms-key they use a key of the account.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_117',
    resources: /LambdaFunction$/,
    because:
      'In a separate network, a function reaches only what is built there for it. subnet-ids and security-group-ids are for clusters that cannot be reached otherwise.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_115',
    resources: /LambdaFunction$/,
    because:
      'The maximumConcurrency of its mapping limits what a queue may use of the account and of a cluster. Reserving that much, with reserved-concurrency=all, is more than many accounts have.',
  },
  {
    check: 'CKV_AWS_116',
    resources: /LambdaFunction$/,
    because:
      'Steps are invoked by their queues, which have dead-letter queues. Failed scheduled runs lose nothing: the next run does the same work, and an alarm reports the failure.',
  },
  {
    check: 'CKV_AWS_18',
    resources: /^(ArchiveBucket|ServerlessDeploymentBucket)$/,
    because:
      'An access log needs another bucket, whose own log needs yet another. The archive has names of objects and no contents, and CloudTrail can log accesses if needed.',
  },
  {
    check: 'CKV_AWS_21',
    resources: /^ServerlessDeploymentBucket$/,
    because:
      'Each deployment is written under a name that contains its time, and never overwrites another. The last three are kept, and all can be built again from the sources.',
  },
  {
    templates: ['hardened'],
    check: 'CKV_AWS_111',
    resources: /Role$/,
    because:
      'Lambda creates the network interfaces of a function with its role, and these actions support no narrower resource. The role denies them to the function itself (lambda:SourceFunctionArn).',
  },
];
