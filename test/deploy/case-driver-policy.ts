/**
 * All that the driver for S3 does itself; whoever runs it needs these permissions and no others. Users and roles are below
 * the deployment's path. One that is not there has no path yet: AWS then asks by the name alone, and the local AWS always.
 */
export function driverPolicy(identity: string): object {
  const principals = (kind: 'user' | 'role') => [
    `arn:aws:iam::*:${kind}/longshore/${identity}/*`,
    `arn:aws:iam::*:${kind}/cosi-*`,
  ];
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: [...onBuckets, ...onObjects], Resource: 'arn:aws:s3:::*' },
      { Effect: 'Allow', Action: onUsers, Resource: principals('user') },
      { Effect: 'Allow', Action: onRoles, Resource: principals('role') },
    ],
  };
}

const onBuckets = [
  's3:CreateBucket',
  's3:TagResource',
  's3:PutBucketTagging',
  's3:GetBucketTagging',
  's3:PutBucketPublicAccessBlock',
  's3:PutEncryptionConfiguration',
  's3:PutBucketVersioning',
  's3:PutLifecycleConfiguration',
  's3:ListBucket',
  's3:ListBucketVersions',
  's3:ListBucketMultipartUploads',
  's3:DeleteBucket',
];

const onObjects = ['s3:DeleteObject', 's3:DeleteObjectVersion', 's3:AbortMultipartUpload'];

const onUsers = [
  'iam:CreateUser',
  'iam:TagUser',
  'iam:GetUser',
  'iam:PutUserPolicy',
  'iam:ListUserPolicies',
  'iam:DeleteUserPolicy',
  'iam:ListAccessKeys',
  'iam:CreateAccessKey',
  'iam:DeleteAccessKey',
  'iam:DeleteUser',
];

const onRoles = [
  'iam:CreateRole',
  'iam:TagRole',
  'iam:GetRole',
  'iam:PutRolePolicy',
  'iam:ListRolePolicies',
  'iam:DeleteRolePolicy',
  'iam:DeleteRole',
];
