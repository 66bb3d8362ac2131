import { packagedService, parsedService } from '../serverless/packaged-service.ts';
import { readParameters } from '../serverless/parameters.ts';
import { type BillLine, billOf } from './bill.ts';
import { type Inventory, inventoryOf } from './inventory.ts';
import { type PricedRegion, priceSource, prices, pricesOf } from './prices.ts';

export interface CostQuestion {
  /** The text of serverless.yml. */
  service: string;
  clusters: number;
  /** In each cluster. */
  changesOfDay: number;
  region: PricedRegion;
  /** Parameters of serverless.yml that differ from the defaults. */
  parameters?: Readonly<Record<string, string>>;
}

export interface Cost {
  region: PricedRegion;
  pricesOf: string;
  source: string;
  clusters: number;
  changesOfDay: number;
  /** How many deployments so many clusters need. */
  deployments: number;
  lines: BillLine[];
  dollars: number;
}

const stage = 'production';
/** The limit of CloudFormation for a stack. */
const maxResources = 500;

/** What so many clusters cost in a month, with as many deployments as they need. */
export function costOf(question: CostQuestion): Cost {
  const { clusters, changesOfDay, region } = question;
  const max = maxClustersPerDeployment(question);
  const deployments = Math.ceil(clusters / max);
  const larger = clusters % deployments;
  const smallest = Math.floor(clusters / deployments);
  const sizes = [
    { size: smallest + 1, count: larger },
    { size: smallest, count: deployments - larger },
  ].filter(({ count }) => count > 0);
  const bills = sizes.flatMap(({ size, count }) => {
    const lines = billOf(inventoryWith(question, size).inventory, changesOfDay, prices[region]);
    return lines.map((each) => ({ ...each, quantity: each.quantity * count, dollars: each.dollars * count }));
  });
  const lines = summed(bills);
  const dollars = lines.reduce((sum, each) => sum + each.dollars, 0);
  return { region, pricesOf, source: priceSource, clusters, changesOfDay, deployments, lines, dollars };
}

function summed(lines: readonly BillLine[]): BillLine[] {
  const byItem = Map.groupBy(lines, ({ item, drivenBy }) => JSON.stringify([item, drivenBy]));
  return [...byItem.values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const plus = (sum: BillLine, each: BillLine) => {
      return { ...sum, quantity: sum.quantity + each.quantity, dollars: sum.dollars + each.dollars };
    };
    return [others.reduce(plus, first)];
  });
}

/** The variables of a function, and the resources of a stack, have room for so many clusters. */
function maxClustersPerDeployment(question: CostQuestion): number {
  let [fits, tooMany] = [1, question.clusters + 1];
  while (tooMany - fits > 1) {
    const middle = Math.min(Math.floor((fits + tooMany) / 2), fits * 2);
    if (isDeployable(question, middle)) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

function isDeployable(question: CostQuestion, clusters: number): boolean {
  try {
    return inventoryWith(question, clusters).resources <= maxResources;
  } catch (error) {
    if (error instanceof Error && error.message.includes('the variables of')) return false;
    throw error;
  }
}

function inventoryWith(question: CostQuestion, count: number): { inventory: Inventory; resources: number } {
  const { service: text, region } = question;
  const target = { stage, region };
  const names = Array.from({ length: count }, (_, index) => `cluster-${index + 1}`);
  const given = { ...parsedService(text).params.default, clusters: clustersParameter(names), ...question.parameters };
  const service = packagedService(text, given, target);
  const inventory = inventoryOf(service, readParameters(given, target));
  // A function, its log group, and its schedules and mappings with a permission each.
  const ofFunctions = inventory.functions.reduce((sum, { schedules }) => sum + 3 + 2 * schedules, 0);
  return { inventory, resources: Object.keys(service.resources.Resources).length + ofFunctions };
}

function clustersParameter(names: readonly string[]): string {
  const from = (name: string) => `ssm:/longshore/${stage}/clusters/${name}/{function}`;
  return JSON.stringify(names.map((name) => ({ name, access: { type: 'kubeconfig', from: from(name) } })));
}
