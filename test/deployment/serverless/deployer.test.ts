import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { parse } from 'yaml';

interface Statement {
  Sid?: string;
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string>>;
}

interface Template {
  Parameters: { Deployment: { AllowedPattern: string } };
  Resources: Record<'Deployer' | 'KeyMaker', { Properties: { PolicyDocument: { Statement: Statement[] } } }>;
}

const customTags = ['!Ref', '!Sub', '!Equals'].flatMap((tag) => [
  { tag, resolve: (value: string) => value },
  { tag, collection: 'seq' as const, resolve: (value: { toJSON(): unknown }) => value.toJSON() },
]);
const path = new URL('../../../deployment/deployer.yml', import.meta.url);
const { Parameters, Resources }: Template = parse(await readFile(path, 'utf8'), { customTags });
const statementsOf = (policy: 'Deployer' | 'KeyMaker') => Resources[policy].Properties.PolicyDocument.Statement;

/** What has no name of its own, with the longest logical id of its kind. */
const generated = [
  { place: 's3:::', most: 63, id: 'ServerlessDeploymentBucket', action: 's3:DeleteBucket' },
  { place: 's3:::', most: 63, id: 'ServerlessDeploymentBucket', action: 's3:PutObject' },
  { place: 's3:::', most: 63, id: 'ArchiveBucket', action: 's3:CreateBucket' },
  { place: 'role/', most: 64, id: 'ProvisionBucketRole', action: 'iam:CreateRole' },
  { place: 'rule/', most: 64, id: 'SweepDashbucketsEventsRuleSchedule1', action: 'events:PutRule' },
];

/** As CloudFormation does: of a name that is too long both parts are cut, and something random is put behind them. */
function nameOf(stack: string, { id, most }: { id: string; most: number }): string {
  const tail = '-1a2b3c4d5e6f';
  const whole = `${stack}-${id}`;
  if (whole.length + tail.length <= most) return `${whole}${tail}`;
  return `${stack.slice(0, 25)}-${id.slice(0, most - 25 - 1 - tail.length)}${tail}`;
}

test.each(generated)('$action is allowed on whatever CloudFormation calls $id, for each stage that is', (resource) => {
  const allowed = new RegExp(`^${Parameters.Deployment.AllowedPattern}$`);
  const stages = Array.from({ length: 35 }, (_, index) => 'x'.repeat(index + 1));
  const deployments = stages.map((stage) => `longshore-${stage}`).filter((each) => allowed.test(each));
  expect(deployments.at(-1)).toHaveLength(25);
  const patterns = statementsOf('Deployer')
    .filter(({ Action }) => [Action].flat().includes(resource.action))
    .flatMap(({ Resource }) => Resource);
  const unreached = deployments.filter((deployment) => {
    const name = nameOf(deployment, resource);
    const arn = `${resource.place}${resource.place === 's3:::' ? name.toLowerCase() : name}`;
    return !patterns.some((pattern) => matches(pattern.replaceAll(`\${Deployment}`, deployment), arn));
  });
  expect(unreached).toEqual([]);
});

/** Whether a pattern for ARNs stands for one that ends so. */
function matches(pattern: string, end: string): boolean {
  const place = /(?:s3:::|role\/|rule\/).*$/.exec(pattern)?.[0];
  return place !== undefined && new RegExp(`^${place.replaceAll('*', '.*')}$`).test(end);
}

test('what is in the archive can be neither read nor deleted', () => {
  const onArchive = statementsOf('Deployer').filter(({ Resource }) => String(Resource).includes('archivebucket'));
  const actions = onArchive.flatMap(({ Action }) => Action);
  expect(actions).toContain('s3:PutBucketPolicy');
  expect(actions.filter((action) => /^s3:(\w*Object\w*|\*)$/.test(action))).toEqual([]);
});

test('keys are marked, changed and used by CloudFormation alone, so that no other key can be marked as one of ours', () => {
  const byCloudFormation = { 'aws:CalledVia': 'cloudformation.amazonaws.com' };
  const conditions = statementsOf('KeyMaker').map(({ Condition }) => Condition?.['ForAnyValue:StringEquals']);
  expect(conditions).toEqual([byCloudFormation, byCloudFormation, byCloudFormation]);
  expect(JSON.stringify(statementsOf('Deployer'))).not.toContain('"kms:');
});
