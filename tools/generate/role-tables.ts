import { prefixOf } from '../../deployment/serverless/service.ts';
import type { Statement } from '../../deployment/serverless/statements.ts';
import { dangers } from '../../test/security/dangers.ts';
import { clusterPermissions, type Permission } from '../../test/support/cluster-roles.ts';
import { completed, propertiesOf } from '../../test/support/completed-service.ts';
import { table } from './table.ts';

/** The tables of docs/security.md that are generated from what is deployed. */

export function dangerTable(): string {
  const rows = dangers.map(({ what, holders }) => {
    return [what, holders.length === 0 ? 'nobody' : holders.map((name) => `\`${name}\``).join(', ')];
  });
  return table(['somebody with the credentials of a function can …', 'of'], rows);
}

export function clusterTable(): string {
  const permissions = [...clusterPermissions()].sort(([one], [other]) => one.localeCompare(other));
  return table(
    ['function', 'in the cluster'],
    permissions.map(([name, its]) => [`\`${name}\``, permissionsText(its)]),
  );
}

/** Permissions with the same verbs in the same place are listed together. */
function permissionsText(permissions: readonly Permission[]): string {
  const subjects = Map.groupBy(permissions, ({ namespace, resource, names }) =>
    JSON.stringify([namespace, resource, names]),
  );
  const merged = [...subjects.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const verbs = [...new Set([first, ...others].map(({ verb }) => verb))].join(', ');
    const { namespace, resource, names } = first;
    const of = names.length > 0 ? ` ${names.map((name) => `\`${name}\``).join(', ')}` : '';
    const where = namespace === undefined ? '' : ` in \`${namespace}\``;
    return [{ said: `${verbs}${where}`, what: `\`${resource}\`${of}` }];
  });
  const said = Map.groupBy(merged, (each) => each.said);
  return [...said].map(([verbs, all]) => `${verbs}: ${all.map(({ what }) => what).join(', ')}`).join('; ');
}

export function awsTable(): string {
  const made = completed();
  const statements = (name: string) => statementsOf(propertiesOf(made, `${prefixOf(name)}Role`));
  const ofSteps = statements('forward').find(({ Action }) => String(Action).startsWith('sqs:SendMessage'))?.Resource;
  const names = Object.keys(made.functions).sort();
  const rows = names.map((name) => [`\`${name}\``, statementsText(name, statements(name), ofSteps)]);
  return table(['function', 'in AWS'], rows);
}

function statementsOf({ Policies }: Record<string, unknown>): Statement[] {
  const policies = Policies as { PolicyDocument: { Statement: Statement[] } }[];
  return policies.flatMap(({ PolicyDocument }) => PolicyDocument.Statement);
}

/**
 * The permissions of every function are described above the table: its log, its own credentials of clusters, and its
 * own queue.
 */
function isOfAll(name: string, { Action, Resource }: Statement): boolean {
  const place = resourceText(Resource).replaceAll('`', '');
  switch ([Action].flat()[0]) {
    case 'logs:CreateLogStream':
      return place === `logs:log-group:/aws/lambda/longshore-production-${name}:*`;
    case 'secretsmanager:GetSecretValue':
      return place === `secretsmanager:secret:longshore/production/clusters/*/${name}-??????`;
    case 'ssm:GetParameter':
      return place === `ssm:parameter/longshore/production/clusters/*/${name}`;
    case 'sqs:ReceiveMessage':
      return place === `${prefixOf(name)}Queue`;
    default:
      return false;
  }
}

function statementsText(name: string, statements: readonly Statement[], ofSteps: unknown): string {
  const said = statements
    .filter((each) => !isOfAll(name, each))
    .map(({ Effect, Action, Resource }) => {
      const actions = [Action].flat().map((action) => `\`${action}\``);
      const isOfSteps = JSON.stringify(Resource) === JSON.stringify(ofSteps);
      const where = isOfSteps ? 'the queues of all steps' : resourceText(Resource);
      return `${Effect === 'Deny' ? 'never ' : ''}${actions.join(', ')} on ${where}`;
    });
  return said.length === 0 ? 'nothing else' : said.join('; ');
}

/** As in the ARN, without the account. */
function resourceText(resource: unknown): string {
  if (Array.isArray(resource)) return resource.map(resourceText).join(', ');
  if (typeof resource === 'string') return resource === '*' ? 'everything' : `\`${resource}\``;
  const { 'Fn::GetAtt': attribute, 'Fn::Sub': text } = resource as { 'Fn::GetAtt'?: string[]; 'Fn::Sub'?: string };
  if (attribute) return `\`${attribute[0]}\``;
  const short = String(text)
    .replaceAll(/\$\{(\w+)\.Arn\}/g, '$1')
    .replace(/^arn:\$\{AWS::Partition\}:/, '')
    .replace(/^(\w+):(\$\{AWS::Region\})?:(\$\{AWS::AccountId\})?:/, '$1:')
    .replaceAll(/longshore-production\.\$\{AWS::AccountId\}\.\$\{AWS::Region\}/g, '<identity>');
  return `\`${short}\``;
}
