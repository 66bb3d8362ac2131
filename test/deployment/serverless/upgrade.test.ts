import { expect, test } from '@jest/globals';
import { completed, propertiesOf } from '../../support/completed-service.ts';

/** The steps of the release before parameters were checked, whose queues have had messages in them ever since. */
const steps: Record<string, string> = {
  MatchTransfer: 'match-transfer',
  MatchApproval: 'match-approval',
  MatchClaim: 'match-claim',
  RebindVolume: 'rebind-volume',
  RegisterDriver: 'register-driver',
  BindBucket: 'bind-bucket',
  ProvisionBucket: 'provision-bucket',
  CopySecret: 'copy-secret',
  PopulateClaim: 'populate-claim',
  CheckSource: 'check-source',
  RequestBucket: 'request-bucket',
};
const deployed = completed();

/** CloudFormation makes another queue of one whose logical id or name changes, and deletes the first with what is in it. */
test.each(Object.entries(steps))('an update keeps the queues of %s, and what is in them', (prefix, name) => {
  const nameOf = (queue: string) => propertiesOf(deployed, queue).QueueName;
  expect(nameOf(`${prefix}Queue`)).toBe(`longshore-production-${name}.fifo`);
  expect(nameOf(`${prefix}DeadLetterQueue`)).toBe(`longshore-production-${name}-dead-letters.fifo`);
});

/** Clusters know the roles by their ARNs, and users of drivers are below their names. */
test.each([...Object.keys(steps), 'Forward', 'SweepBuckets'])('an update keeps the role of %s', (prefix) => {
  const role = propertiesOf(deployed, `${prefix}Role`);
  expect(role).not.toHaveProperty('RoleName');
  expect(role).not.toHaveProperty('Path');
});

test('an update keeps the archive, and removing the deployment leaves it with its policy, but not a creation that failed', () => {
  const { ArchiveBucket, ArchiveBucketPolicy } = deployed.resources.Resources;
  expect(ArchiveBucket?.Properties).not.toHaveProperty('BucketName');
  for (const kept of [ArchiveBucket, ArchiveBucketPolicy]) {
    expect([kept?.DeletionPolicy, kept?.UpdateReplacePolicy]).toEqual(['RetainExceptOnCreate', 'Retain']);
  }
});
