import fc from 'fast-check';
import { clusterPermissions } from '../support/cluster-roles.ts';
import { fixtures, type Target, targets } from './fixtures.ts';
import type { Fuzzer, Fuzzing } from './fuzzer.ts';
import { type Spoiling, spoilings } from './hostile-answers.ts';
import { bodiesFor, enormousBodiesFor, fieldsOf, write } from './hostile-messages.ts';
import { batchesOf, noBatch, type OddRecord } from './hostile-records.ts';
import { type Course, type Expectations, judgeBatch, pathOf } from './judge-messages.ts';
import { clusterNames } from './surroundings.ts';
import { Violation } from './violation.ts';

/** Either a batch, or something that is none. */
type Given = GivenBatch | { event: unknown };

interface GivenBatch {
  records: OddRecord[];
  /** What the API server of the rogue cluster says. */
  answers: Spoiling[];
}

/** The functions that take messages about objects from a queue of their own. */
export async function messagesFor(name: string, fuzzer: Fuzzer): Promise<Fuzzing<Given>> {
  const target = targets[name];
  if (!target) throw new Error(`no messages are for ${name}`);
  const expectations = { target, courses: await coursesOf(target, fuzzer), mayRead: rightsOf(name) };
  if (!expectations.courses.get(pathOfTarget(target))?.writes.length) throw new Error(`${name} has nothing to write`);
  const bodies = fc.oneof(
    { weight: 500, arbitrary: bodiesFor(name) },
    { weight: 1, arbitrary: enormousBodiesFor(name) },
  );
  return {
    given: fc.oneof(
      { weight: 30, arbitrary: fc.record({ records: batchesOf(bodies), answers: spoilings }) },
      { weight: 1, arbitrary: noBatch.map((event) => ({ event })) },
    ),
    count: (given) => ('records' in given ? given.records.length : 1),
    play: (given) => ('records' in given ? playBatch(given, fuzzer, expectations) : playOther(given.event, fuzzer)),
  };
}

async function playBatch({ records, answers }: GivenBatch, fuzzer: Fuzzer, expectations: Expectations) {
  fuzzer.surroundings.clusters.rogue.spoil(answers);
  const outcome = await fuzzer.invoke({ Records: records });
  if ('error' in outcome) throw new Violation(`it threw, and with that failed the whole batch: ${outcome.error.stack}`);
  const failed = failuresIn(outcome.answer);
  const handled = judgeBatch(records, { failed, ...seenBy(fuzzer) }, expectations);
  const good = handled.filter(({ namespace, name }) =>
    expectations.courses.has(pathOf(expectations.target, namespace, name)),
  );
  return { reported: failed.length, handled: handled.length, 'of them there': good.length };
}

/** It is no batch, so there is nothing to report: it has to be refused as a whole, before anything is done. */
export async function playOther(event: unknown, fuzzer: Fuzzer) {
  const outcome = await fuzzer.invoke(event);
  const { asked, called } = seenBy(fuzzer);
  const done = [...Object.values(asked).flat(), ...called];
  if (done.length > 0) throw new Violation(`what is no batch led to ${JSON.stringify(done)}`);
  if ('answer' in outcome && failuresIn(outcome.answer).length > 0) throw new Violation('it reports what is not there');
  if ('error' in outcome && outcome.error instanceof TypeError)
    throw new Violation(`it fell over: ${outcome.error.stack}`);
  return { 'no batches': 1 };
}

export function failuresIn(answer: unknown): unknown[] {
  const failures = (answer as { batchItemFailures?: { itemIdentifier: unknown }[] } | undefined)?.batchItemFailures;
  if (!Array.isArray(failures)) throw new Violation(`this is no answer to a batch: ${JSON.stringify(answer)}`);
  return failures.map(({ itemIdentifier }) => itemIdentifier);
}

export function seenBy({ surroundings }: Fuzzer) {
  const asked = Object.fromEntries(clusterNames.map((each) => [each, surroundings.clusters[each].asked]));
  return { asked, called: surroundings.aws.called };
}

/** What the function does for each object of its kind, when it is told of nothing else. */
async function coursesOf(target: Target, fuzzer: Fuzzer): Promise<ReadonlyMap<string, Course>> {
  const courses = new Map<string, Course>();
  const { apiVersion, kind } = target.resource;
  const there = [...fixtures.values()].filter((each) => each.apiVersion === apiVersion && each.kind === kind);
  const others = there.map(({ metadata: { namespace, name } }) => {
    return { resource: target.resource, name, ...(namespace === undefined ? {} : { namespace }) };
  });
  fuzzer.output.start();
  for (const each of [target, ...others]) {
    const attributes = { MessageGroupId: 'group', ApproximateReceiveCount: '1' };
    fuzzer.begin();
    const Records = [{ messageId: 'message', receiptHandle: 'receipt', body: write(fieldsOf(each)), attributes }];
    const outcome = await fuzzer.invoke({ Records });
    if (!('answer' in outcome) || failuresIn(outcome.answer).length > 0) throw new Error(`${each.name} is not handled`);
    const { main = [] } = seenBy(fuzzer).asked;
    const all = main.map(({ method, url }) => `${method} ${url}`);
    const reads = all.filter((each) => each.startsWith('GET '));
    courses.set(pathOfTarget(each), { reads, writes: all.filter((each) => !reads.includes(each)) });
  }
  fuzzer.output.stop();
  return courses;
}

function pathOfTarget(target: Target): string {
  return pathOf(target, target.namespace, target.name);
}

function rightsOf(functionName: string): Expectations['mayRead'] {
  const permissions = clusterPermissions().get(functionName) ?? [];
  return (group, plural, verb) =>
    permissions.some(
      (permission) => permission.group === group && permission.resource === plural && permission.verb === verb,
    );
}
