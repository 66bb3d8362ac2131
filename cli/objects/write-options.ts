import { type Command, Option, type OptionValues } from '@commander-js/extra-typings';

import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { type ClusterOptions, type NamespaceOptions, withCluster, withNamespace } from '../connect/options.ts';
import { timeoutOption } from '../parse/duration.ts';
import { documentText } from '../terminal/document.ts';
import { printableJson } from '../terminal/printable.ts';
import type { User } from './user.ts';

const forms = ['yaml', 'json', 'name'] as const;
export type WriteForm = (typeof forms)[number];

export interface WriteOptions extends ClusterOptions, NamespaceOptions {
  dryRun?: true;
  output?: WriteForm;
}

/** Adds the options of every command that writes objects of one namespace. */
export function withWriting<Args extends unknown[], Options extends OptionValues>(command: Command<Args, Options>) {
  return withCluster(withNamespace(command))
    .option('--dry-run', 'have the server validate it, but change nothing')
    .addOption(
      new Option('-o, --output <form>', 'print the objects; with --dry-run, the manifest to apply').choices(forms),
    );
}

interface Waiting {
  /** What is waited for. */
  until: string;
  isUsual: boolean;
  timeout: string;
}

/** Adds `--wait`, `--no-wait` and `--timeout`. There is no `-w`: in kubectl that means to watch. */
export function withWaiting<Args extends unknown[], Options extends OptionValues>(
  command: Command<Args, Options>,
  { until, isUsual, timeout }: Waiting,
) {
  return command
    .option('--wait', `wait until ${until}${isUsual ? ' (default)' : ''}`)
    .option('--no-wait', `do not wait${isUsual ? '' : ' (default)'}`)
    .setOptionValueWithSource('wait', isUsual, 'default')
    .addOption(timeoutOption(timeout));
}

/** Objects as whoever applies them has to write them, or as the server has stored them. */
export function objectsText(objects: readonly ClusterObject[], form: WriteForm): string {
  const plain = objects.map(withoutNoise);
  if (form === 'name') return plain.map(({ kind, metadata }) => `${kind.toLowerCase()}/${metadata.name}`).join('\n');
  if (form === 'json') return plain.map((each) => printableJson(each)).join('\n');
  return plain.map((each) => documentText(each, 'yaml')).join('\n---\n');
}

/** With `-o`, stdout has the objects alone, for the program that reads it. */
export function telling(user: User, { output }: WriteOptions): User {
  // The user's signal is asked for later, and with it Ctrl-C changes its meaning: it must not be copied now.
  return output === undefined ? user : Object.create(user, { tell: { value: user.remark } });
}

function withoutNoise(object: ClusterObject): ClusterObject {
  const { managedFields: _, ...metadata } = object.metadata;
  return { ...object, metadata };
}
