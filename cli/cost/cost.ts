import { readFile } from 'node:fs/promises';
import type { BillLine } from '../../deployment/cost/bill.ts';
import { type Cost, type CostQuestion, costOf } from '../../deployment/cost/cost.ts';
import type { PricedRegion } from '../../deployment/cost/prices.ts';
import { ParametersRefused } from '../../deployment/serverless/parameters.ts';
import { packageFile } from '../package-file.ts';
import { UsageError } from '../parse/usage-error.ts';
import { textOf } from '../terminal/output.ts';
import { printableJson } from '../terminal/printable.ts';
import { lineWidth } from '../terminal/width.ts';
import { wrapped } from '../terminal/wrap.ts';

export interface CostOptions {
  clusters: number;
  changes: number;
  region?: PricedRegion | undefined;
  param?: readonly string[] | undefined;
  output?: 'json' | 'wide' | undefined;
}

export async function cost(options: CostOptions): Promise<void> {
  const { clusters, changes, region = 'us-east-1', param = [], output } = options;
  const service = await readFile(packageFile('serverless.yml'), 'utf8');
  const question = { service, clusters, changesOfDay: changes, region, parameters: parametersOf(param) };
  const found = answered(question);
  if (output === 'json') console.log(printableJson(found));
  else console.log(costLines(found, answered({ ...question, clusters: clusters + 1 }), output).join('\n'));
}

function parametersOf(given: readonly string[]): Record<string, string> {
  const pairs = given.map((text): [string, string] => {
    const at = text.indexOf('=');
    if (at < 1) throw new UsageError(`--param must be <name>=<value>, but is ${text}`);
    return [text.slice(0, at), text.slice(at + 1)];
  });
  if (pairs.some(([name]) => name === 'clusters')) {
    throw new UsageError('--clusters says how many clusters there are, and no --param does');
  }
  return Object.fromEntries(pairs);
}

function answered(question: CostQuestion): Cost {
  try {
    return costOf(question);
  } catch (error) {
    throw error instanceof ParametersRefused ? new UsageError(error.message) : error;
  }
}

/** The table, its sum, and what it rests on. `withAnother`: the same for one more cluster. */
export function costLines(found: Cost, withAnother: Cost, output?: 'wide'): string[] {
  const { lines, dollars, deployments, clusters, changesOfDay, region, pricesOf, source } = found;
  const sum = { item: 'total', drivenBy: '', quantity: 0, unit: '', price: 0, dollars };
  const table = textOf(
    {
      heading: ['ITEM', 'A MONTH', 'DRIVEN BY'],
      headingMore: ['QUANTITY', 'PRICE OF ONE'],
      items: [...lines, sum].map((each) => ({
        name: each.item,
        cells: [each.item, money(each.dollars), each.drivenBy],
        more: each === sum ? [] : [quantityOf(each), `$${each.price}`],
        value: each,
      })),
    },
    output,
  );
  const several = deployments > 1 ? `, in ${deployments} deployments, as one has no room for all` : '';
  const notes = [
    `For ${clusters} ${clusters === 1 ? 'cluster' : 'clusters'} with ${changesOfDay} changes a day each${several}. One more cluster: ${money(withAnother.dollars - dollars)}.`,
    `List prices of ${region}, ${pricesOf}, without free tiers, taxes and data transfer. Nothing was measured on AWS.`,
    `Source: ${source}.`,
  ];
  return [table, '', ...notes.flatMap((note) => wrapped(note, lineWidth(process.stdout)))];
}

const money = (dollars: number): string => `$${dollars.toFixed(2)}`;

function quantityOf({ quantity, unit }: BillLine): string {
  const digits = Number.isInteger(quantity) || quantity >= 100 ? 0 : 2;
  return `${quantity.toFixed(digits)} ${unit}`;
}
