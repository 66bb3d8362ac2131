import type { ObjectName } from '../../lib/kubernetes/resources.ts';
import { formatTimestamp } from '../../lib/recovery/timeline/timeline-entry.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { exitCodes } from '../exit-codes.ts';
import { openWithin } from '../operate/open-within.ts';
import { readTarget } from '../operate/target.ts';
import { printableJson } from '../terminal/printable.ts';
import { lineWidth } from '../terminal/width.ts';
import { type Story, tellStory } from './story.ts';
import { storyLines } from './text.ts';

export interface WhyOptions extends ClusterOptions, Pick<NamespaceOptions, 'namespace'> {
  timeout?: number;
  output?: 'json';
}

const defaultSeconds = 10;

export async function showWhy(words: readonly string[], options: WhyOptions): Promise<void> {
  // What is misspelled is refused before a cluster is asked.
  readTarget(words, options.namespace ?? 'default');
  await using cluster = await openWithin(options, (options.timeout ?? defaultSeconds) * 1_000);
  const name = readTarget(words, options.namespace ?? cluster.namespace);
  const story = await tellStory(cluster, name);
  console.log(options.output === 'json' ? jsonOf(story) : storyLines(story, lineWidth(process.stdout)).join('\n'));
  const isFinished = story.failing.length === 0 && story.verdicts.every(({ state }) => state === 'done');
  if (!isFinished) process.exitCode = exitCodes.found;
}

function jsonOf({ name, related, entries, ...story }: Story): string {
  return printableJson({
    object: plain(name),
    ...story,
    related: related.map((each) => ({ ...each, name: plain(each.name) })),
    timeline: entries.map(({ at, source, object, what }) => {
      return { time: formatTimestamp(at), source, object: plain(object), what };
    }),
  });
}

function plain({ resource, namespace, name }: ObjectName) {
  return { kind: resource.kind, namespace, name };
}
