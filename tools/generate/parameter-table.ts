import { parameterNames, readers } from '../../deployment/serverless/parameters.ts';
import { file } from '../../test/support/completed-service.ts';
import { rowsIn, table } from './table.ts';

/**
 * The parameters in docs/configuration.md: their meanings are written there, everything else is generated from the
 * sources.
 */
export function parameterTable(page: string): string {
  const meanings = new Map(rowsIn(page, 'parameters').map(([name, , , meaning]) => [name, meaning]));
  const rows = parameterNames.map((name) => [
    `\`${name}\``,
    defaultOf(name),
    readers[name].accepts,
    meanings.get(`\`${name}\``) ?? '',
  ]);
  return table(['parameter', 'default', 'accepts', 'meaning'], rows);
}

function defaultOf(name: (typeof parameterNames)[number]): string {
  const value = String(file.params.default[name]);
  if (value !== '') return `\`${value}\``;
  return name === 'clusters' ? 'none, required' : 'none';
}
