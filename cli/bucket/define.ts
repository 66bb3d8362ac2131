import type { Command } from '@commander-js/extra-typings';
import { withCluster, withNamespace, withNamespaces } from '../connect/options.ts';
import type { Define } from '../define.ts';
import { withWaiting, withWriting } from '../objects/write-options.ts';
import { UsageError } from '../parse/usage-error.ts';
import { outputOption } from '../terminal/output.ts';

/** Buckets of an object store, as a developer has them. */
export const defineBucket: Define = (command) => {
  command
    .description('Creates, shows and deletes the buckets of a namespace.')
    .usage('<command> [options]')
    .helpCommand(false)
    .argument('[word]')
    .action((word) => {
      const problem = word === undefined ? 'a command is missing' : `unknown command ${JSON.stringify(word)}`;
      throw new UsageError(`${problem}: write create, get or delete`);
    });
  defineCreate(command.command('create'));
  defineGet(command.command('get'));
  defineDelete(command.command('delete'));
};

function defineCreate(command: Command): void {
  withWaiting(withWriting(command), { until: 'the bucket and its Secret can be used', isUsual: false, timeout: '5m' })
    .summary('request a bucket of a class')
    .description('Requests a bucket. Its address and credentials are put into a Secret of the namespace.')
    .argument('<name>', 'name of the Bucket')
    .requiredOption('--class <name>', 'BucketClass, as created by an administrator')
    .option('--secret-name <name>', 'Secret for the credentials; must not exist yet (default: <name>-access)')
    .option('--prefix <text>', 'prefix of the name of a new bucket in the store')
    .addHelpText(
      'after',
      `
Examples:
  longshore bucket create photos --class standard --wait
  longshore bucket create photos --class standard --dry-run -o yaml`,
    )
    .action(async (name, options) => (await import('./create.ts')).createBucket(name, options));
}

function defineGet(command: Command): void {
  withCluster(withNamespaces(command))
    .summary('show buckets, and what they are waiting for')
    .description('Shows the buckets of a namespace, their Secrets, and what they are waiting for.')
    .argument('[name]', 'one Bucket (default: all)')
    .addOption(outputOption('json', 'yaml', 'wide', 'name'))
    .addHelpText('after', '\nExamples:\n  longshore bucket get\n  longshore bucket get photos -o wide')
    .action(async (name, options) => (await import('./get.ts')).getBuckets(name, options));
}

function defineDelete(command: Command): void {
  withWaiting(withCluster(withNamespace(command)), { until: 'the Bucket is gone', isUsual: false, timeout: '5m' })
    .summary('delete a bucket, after saying what happens to its data')
    .description('Deletes a Bucket. Says what happens to its data, and asks for confirmation.')
    .argument('<name>', 'name of the Bucket')
    .option('-y, --yes', 'do not ask for confirmation')
    .option('--dry-run', 'have the server validate it, but change nothing')
    .addHelpText('after', '\nExample:\n  longshore bucket delete photos -n album --wait')
    .action(async (name, options) => (await import('./delete.ts')).deleteBucket(name, options));
}
