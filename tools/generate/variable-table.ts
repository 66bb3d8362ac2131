import { type Variable, type VariableName, variables } from '../../lib/runtime/variables.ts';
import { rowsIn, table } from './table.ts';

/** The environment variables in docs/configuration.md: their meanings are written there, all else follows from the sources. */
export function variableTable(page: string): string {
  const meanings = new Map(rowsIn(page, 'variables').map((cells) => [cells[0], cells.at(-1)]));
  const rows = (Object.keys(variables) as VariableName[]).map((name) => {
    const variable: Variable<unknown> = variables[name];
    return [`\`${name}\``, variable.for, variable.accepts, defaultOf(variable), meanings.get(`\`${name}\``) ?? ''];
  });
  return table(['variable', 'for', 'accepts', 'default', 'meaning'], rows);
}

function defaultOf({ required, default: otherwise }: Variable<unknown>): string {
  if (required !== undefined) return 'none, required';
  return otherwise === undefined ? 'none' : `\`${otherwise}\``;
}
