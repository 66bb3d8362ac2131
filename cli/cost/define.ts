import { Option } from '@commander-js/extra-typings';
import { pricedRegions } from '../../deployment/cost/prices.ts';
import type { Define } from '../define.ts';
import { repeated, wholeNumber } from '../parse/values.ts';
import { outputOption } from '../terminal/output-option.ts';

/** What a deployment on AWS costs, before there is one. */
export const defineCost: Define = (command) =>
  command
    .description(
      'Shows what Longshore costs on AWS in a month, line by line, by list prices and for the parameters of serverless.yml. Calls nothing.',
    )
    .option('--clusters <count>', 'how many clusters', wholeNumber('--clusters', 1, 10_000), 1)
    .option('--changes <count>', 'changes a day in each cluster', wholeNumber('--changes', 0, 100_000_000), 100)
    .addOption(
      new Option('--region <region>', 'region whose prices count').choices(pricedRegions).default(pricedRegions[0]),
    )
    .option('--param <name=value>', 'a parameter of serverless.yml that differs from its default; repeatable', repeated)
    .addOption(outputOption('json', 'wide'))
    .addHelpText(
      'after',
      `
Examples:
  longshore cost
  longshore cost --clusters 50 --changes 10000 -o wide
  longshore cost --param capabilities=transfers --param alarms=off`,
    )
    .action(async (options) => (await import('./cost.ts')).cost(options));
