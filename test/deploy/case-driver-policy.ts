/**
 * All that the driver for S3 does itself; whoever runs it needs these permissions and no others. Users and roles are below
 * the deployment's path. One that is not there has no path, and is asked about by its name alone.
 */
export function driverPolicy(identity: string): object {
  const own = (kind: 'user' | 'role') => `arn:aws:iam::*:${kind}/longshore/${identity}/*`;
  const thereOrNot = (kind: 'user' | 'role') => [own(kind), `arn:aws:iam::*:${kind}/cosi-*`];
  return {
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Action: [...onBuckets, ...onObjects], Resource: 'arn:aws:s3:::*' },
      { Effect: 'Allow', Action: makingUsers, Resource: own('user') },
      { Effect: 'Allow', Action: makingRoles, Resource: own('role') },
      { Effect: 'Allow', Action: endingUsers, Resource: thereOrNot('user') },
      { Effect: 'Allow', Action: endingRoles, Resource: thereOrNot('role') },
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

const makingUsers = ['iam:CreateUser', 'iam:TagUser', 'iam:PutUserPolicy', 'iam:CreateAccessKey'];

const endingUsers = [
  'iam:GetUser',
  'iam:ListUserPolicies',
  'iam:DeleteUserPolicy',
  'iam:ListAccessKeys',
  'iam:DeleteAccessKey',
  'iam:DeleteUser',
];

const makingRoles = ['iam:CreateRole', 'iam:TagRole', 'iam:PutRolePolicy'];

const endingRoles = ['iam:GetRole', 'iam:ListRolePolicies', 'iam:DeleteRolePolicy', 'iam:DeleteRole'];
