import { expect, test } from '@jest/globals';
import { prefixOf, queueOf } from '../../deployment/serverless/service.ts';
import type { Statement } from '../../deployment/serverless/statements.ts';
import { completed, propertiesOf } from '../support/completed-service.ts';
import { readPage } from './page.ts';

const made = completed();
const functions = Object.keys(made.functions);
const steps = functions.filter((name) => queueOf(made.functions[name] ?? {}));

/** What each row of the page is about: an action, on what has this in its name. */
const deeds: readonly (readonly [row: string, action: string, on?: string])[] = [
  ["read the function's credentials for every cluster", 'secretsmanager:GetSecretValue'],
  ['have any key looked at again', 'sqs:SendMessage*', 'MatchTransferQueue'],
  ['put messages into the archive that nobody sent', 's3:PutObject', 'cluster=*'],
  ['write down how far a replay has come', 's3:PutObject', 'replays/*'],
  ['list the names of the objects in every bucket', 's3:ListBucket', ':s3:::*'],
  ['delete objects and buckets of the account', 's3:DeleteObject', ':s3:::*'],
  ['turn off the block of public access of any bucket', 's3:PutBucketPublicAccessBlock', ':s3:::*'],
  ['turn off the block of public access of any bucket', 's3:PutLifecycleConfiguration', ':s3:::*'],
  ['turn off the block of public access of any bucket', 's3:PutBucketVersioning', ':s3:::*'],
  ['make users and roles with any permissions', 'iam:PutUserPolicy'],
  ["delete users, keys and roles below the deployment's path", 'iam:DeleteUser'],
];

function statementsOf(name: string): Statement[] {
  const policies = propertiesOf(made, `${prefixOf(name)}Role`).Policies as {
    PolicyDocument: { Statement: Statement[] };
  }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/** As the page has it: by name, or each but those that it names. */
function holdersIn(row: string): string[] {
  const line = readPage()
    .split('\n')
    .find((each) => each.startsWith(`| ${row}`));
  const cell = line?.split(' | ')[1] ?? '';
  const named = [...cell.matchAll(/`([a-z-]+)`/g)].map(([, name = '']) => name);
  if (!cell.startsWith('each')) return named.sort();
  return (cell.startsWith('each step') ? steps : functions).filter((name) => !named.includes(name)).sort();
}

test.each(deeds)('whose role lets somebody %s, by %s, is what the page says', (row, action, on = '') => {
  const may = ({ Effect, Action, Resource }: Statement) =>
    Effect === 'Allow' && [Action].flat().includes(action) && JSON.stringify(Resource).includes(on);
  const holders = functions.filter((name) => statementsOf(name).some(may));
  expect(holdersIn(row)).toEqual(holders.sort());
});

test('what is taken off a queue is told again by the forwarder, but for what only EventBridge has told', () => {
  const fed = steps.filter((name) => made.functions[name]?.rules);
  expect(holdersIn("take events off the function's queue, which nobody tells again")).toEqual(fed);
  expect(holdersIn("take messages off the function's queue")).toEqual(
    steps.filter((name) => !fed.includes(name)).sort(),
  );
});
