import { setTimeout as pause } from 'node:timers/promises';
import { amountOf } from '../../lib/kubernetes/quantity.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import { findingLines } from '../check/text.ts';
import { type OpenedCluster, openCluster } from '../connect/open.ts';
import type { ClusterOptions } from '../connect/options.ts';
import { plainRefusals } from '../connect/plain-error.ts';
import { exitCodes } from '../exit-codes.ts';
import { Interrupted } from '../interrupted.ts';
import { type User, userOfProcess } from '../objects/user.ts';
import { reachOf } from '../objects/work.ts';
import { durationText } from '../operate/duration.ts';
import { objectName } from '../parse/names.ts';
import { UsageError } from '../parse/usage-error.ts';
import { printable, printableJson } from '../terminal/printable.ts';
import { shellLine } from '../terminal/shell-line.ts';
import { lineWidth } from '../terminal/width.ts';
import { CleanUp, namespacesOf } from './clean-up.ts';
import { endings, namespaceOf, newDemo } from './names.ts';
import { lookAhead } from './preflight.ts';
import { Show } from './show.ts';
import type { Wanted } from './uses.ts';

export interface DemoOptions extends ClusterOptions, Wanted {
  size?: string;
  /** In milliseconds. */
  timeout?: number;
  keep?: true;
  /** Of all demos, or of this one. */
  cleanup?: true | string;
  yes?: true;
  output?: 'json';
}

const defaultTimeoutMs = 300_000;
const defaultSize = '1Gi';

export async function demo(options: DemoOptions): Promise<void> {
  const { size = defaultSize } = options;
  if (amountOf(size) === undefined) throw new UsageError(`--size must be a quantity such as 10Gi, but is ${size}`);
  for (const name of ['storageClass', 'snapshotClass', 'bucketClass', 'node'] as const) {
    const given = options[name];
    if (given !== undefined) objectName(`--${name.replace('Class', '-class')}`, given);
  }
  if (typeof options.cleanup === 'string') objectName('--cleanup', options.cleanup);
  const user = userOfProcess();
  // With `-o json`, stdout has the result alone.
  const told: User = options.output ? Object.create(user, { tell: { value: user.remark } }) : user;
  try {
    await using opened = await openCluster(options);
    process.exitCode = options.cleanup
      ? await removeEarlier(opened, told, options)
      : await showAll(opened, told, { ...options, size });
  } catch (error) {
    const failure = { error: plainRefusals(redacted(asError(error).message)), findings: [], parts: [], left: [] };
    if (options.output) console.log(printableJson(failure));
    throw error;
  }
}

async function showAll(opened: OpenedCluster, user: User, options: DemoOptions & { size: string }): Promise<number> {
  const { api } = opened;
  const id = newDemo();
  const { findings, leftOut, plan } = await lookAhead(opened, id, options);
  user.tell(`${printable(`Demo ${id}, in context ${opened.name} (${opened.server})`)}\n`);
  user.tell(findingLines(findings, lineWidth(process.stdout)).join('\n'));
  const result = { demo: id, context: opened.name, server: opened.server, findings };
  const tellResult = (more: object) => options.output && console.log(printableJson({ ...result, ...more }));
  if (!plan) {
    tellResult({ parts: [], left: [] });
    user.remark('\nNothing was created: the problems above come first.');
    return exitCodes.failed;
  }
  const timeoutMs = options.timeout ?? defaultTimeoutMs;
  const show = new Show(api, quietOnceStopped(user), {
    id,
    plan,
    leftOut,
    reach: reachOf(options),
    timeoutMs,
    size: options.size,
  });
  const failure = await show.run().then(() => undefined, asError);
  if (failure && !(failure instanceof Interrupted)) user.remark(`\n${printable(`Failed: ${failure.message}`)}`);
  const left = options.keep ? tellKept(user, options, id) : await removeAll(opened, user, options, id);
  tellResult({ parts: show.parts, volume: show.volume, kept: options.keep === true, left });
  if (failure instanceof Interrupted) return exitCodes.interrupted;
  return failure || left.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** Whatever has happened, also after Ctrl-C: a second one ends this as well. Answers what is left. */
async function removeAll({ api }: OpenedCluster, user: User, options: DemoOptions, id?: string): Promise<string[]> {
  const patient: User = Object.create(user, {
    stopped: { value: new AbortController().signal },
    pause: { value: (milliseconds: number) => pause(milliseconds) },
  });
  const startedMs = user.nowMs();
  let left = id === undefined ? [] : endings.map((ending) => `Namespace ${namespaceOf(id, ending).metadata.name}`);
  let problem = '';
  try {
    const all = await namespacesOf(api, id);
    if (all.length === 0) return [];
    user.tell(`\nRemoving ${all.map(({ metadata }) => metadata.name).join(' and ')}, with everything in them`);
    left = await new CleanUp(api, patient, options.timeout ?? defaultTimeoutMs).remove(all);
  } catch (error) {
    if (id === undefined) throw error;
    problem = ` (${asError(error).message})`;
  }
  if (left.length === 0 && problem === '') {
    user.tell(`Everything that the demo has created is gone, after ${durationText(user.nowMs() - startedMs)}.`);
  } else {
    user.remark(printable(`Not removed yet: ${left.join(', ')}${problem}. While Longshore runs, try again with:`));
    user.remark(`  ${again(options, id)}`);
  }
  return left;
}

function tellKept(user: User, options: DemoOptions, id: string): string[] {
  user.tell(`\nEverything stays. To remove it:\n  ${again(options, id)}`);
  return [];
}

function again(options: DemoOptions, id: string | undefined): string {
  return shellLine(['longshore', 'demo', '--cleanup', ...(id === undefined ? [] : [id]), ...reachOf(options)]);
}

async function removeEarlier(opened: OpenedCluster, user: User, options: DemoOptions): Promise<number> {
  const id = typeof options.cleanup === 'string' ? options.cleanup : undefined;
  const all = await namespacesOf(opened.api, id);
  if (all.length === 0) {
    user.tell(id === undefined ? 'No demo has left anything.' : `Demo ${id} has left nothing.`);
    if (options.output) console.log(printableJson({ left: [] }));
    return exitCodes.done;
  }
  const lines = all.map(({ metadata }) => `  ${metadata.name}, created ${metadata.creationTimestamp}`);
  // Nothing tells a demo that is running apart from one that was killed.
  const others =
    id === undefined
      ? '\nA demo that is still running fails then. To remove one of them, name it: --cleanup <demo>'
      : '';
  const question = `This removes these namespaces, with everything in them:\n${lines.join('\n')}${others}`;
  if (options.yes) user.remark(question);
  else if (!(await user.confirm(question, 'remove'))) {
    user.remark('Nothing was removed. To remove it without being asked, use --yes.');
    if (options.output) console.log(printableJson({ left: all.map(({ metadata }) => metadata.name) }));
    return user.stopped.aborted ? exitCodes.interrupted : exitCodes.failed;
  }
  const left = await removeAll(opened, user, options, id);
  if (options.output) console.log(printableJson({ left }));
  return left.length > 0 ? exitCodes.failed : exitCodes.done;
}

/** A command that is interrupted says how to go on with it: here everything is removed instead. */
function quietOnceStopped(user: User): User {
  return Object.create(user, {
    remark: { value: (text: string) => (user.stopped.aborted ? undefined : user.remark(text)) },
  });
}

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
