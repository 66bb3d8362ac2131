import { capabilities } from '../../lib/capabilities/all-capabilities.ts';
import { declared } from '../../lib/capabilities/declarations.ts';
import { declarations } from '../../lib/compose/declarations.ts';
import { rowsIn, table } from './table.ts';

/** The tables of functions in the documents. */

const code = (names: readonly string[]) => names.map((name) => `\`${name}\``).join(', ');

export function functionTable(): string {
  const rows = declarations.map(({ name, key, does }) => [`\`${name}\``, key, does]);
  return table(['function', 'its key', 'what it does'], rows);
}

export function capabilityTable(): string {
  const rows = Object.entries(declared).map(([name, all]) => [`\`${name}\``, code(all.map((each) => each.name))]);
  return table(['capability', 'functions'], rows);
}

/** The title of a capability, and the link to its description, are written in the page. */
export function queueTable(page: string): string {
  const titles = new Map(rowsIn(page, 'queues').map(([title = '', functions = '']) => [functions, title]));
  const rows = capabilities.map(({ name, functions }) => [titles.get(code(functions)) ?? name, code(functions)]);
  return table(['capability', 'needs queues for'], rows);
}

/** The loop of the script that creates a kubeconfig for each function that calls a cluster. */
export function withFunctionLoop(page: string): string {
  const names = declarations.filter(({ permissions }) => permissions.length > 0).map(({ name }) => name);
  const lines = ['for function in'];
  for (const name of names) {
    const last = lines.at(-1) ?? '';
    if (`${last} ${name}; do`.length <= 118) lines[lines.length - 1] = `${last} ${name}`;
    else lines.push(`  ${name}`);
  }
  return page.replace(/^for function in [^;]*; do$/m, () => `${lines.join(' \\\n')}; do`);
}
