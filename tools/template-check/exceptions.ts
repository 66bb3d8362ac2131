/** A check that some resources do not pass, and why that is right. */
export interface Exception {
  readonly check: string;
  /** The resources' logical ids. */
  readonly resources: RegExp;
  /** In which templates; in all of them, where it does not say. */
  readonly templates?: readonly string[];
  readonly because: string;
}

/** What is left to keys of AWS, to Lambda's own network and to the account's limits unless a parameter says otherwise. */
const byDefault = { templates: ['default'] };

/** Every exception has to be needed: one that is not fails the check, as a finding does that has none. */
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
      'CloudWatch encrypts all logs with keys of its own, and these have names and reasons in them, no contents of objects and no secrets. With kms-key they have a key of the account.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_173',
    resources: /LambdaFunction$/,
    because:
      'Lambda encrypts all variables with a key of its own, and these say where things are: credentials are in Secrets Manager. With kms-key they have a key of the account.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_117',
    resources: /LambdaFunction$/,
    because:
      'In a network of its own a function reaches nothing but what is built there for it. subnet-ids and security-group-ids are for clusters that cannot be reached otherwise.',
  },
  {
    ...byDefault,
    check: 'CKV_AWS_115',
    resources: /LambdaFunction$/,
    because:
      'What a queue may take of the account and of a cluster is limited by the maximumConcurrency of its mapping. Setting aside as much for it, with reserved-concurrency=all, is more than many accounts have.',
  },
  {
    check: 'CKV_AWS_116',
    resources: /LambdaFunction$/,
    because:
      'Steps are invoked by their queues, which have queues for dead letters. What schedules invoke is not lost by failing: the next run does the same, and an alarm tells that it fails.',
  },
  {
    check: 'CKV_AWS_18',
    resources: /^(ArchiveBucket|ServerlessDeploymentBucket)$/,
    because:
      'A log of accesses needs one more bucket, whose own log needs another. The archive has names of objects and no contents, and CloudTrail can tell of accesses where that is wanted.',
  },
  {
    check: 'CKV_AWS_21',
    resources: /^ServerlessDeploymentBucket$/,
    because:
      'Each deployment is written under a name with its time in it, and never over another. The last three are kept, and all of them can be made again from the sources.',
  },
  {
    templates: ['hardened'],
    check: 'CKV_AWS_111',
    resources: /Role$/,
    because:
      'Lambda makes the network interfaces of a function in the name of its role, by actions that know no narrower resource. The role refuses them to the function itself (lambda:SourceFunctionArn).',
  },
];
