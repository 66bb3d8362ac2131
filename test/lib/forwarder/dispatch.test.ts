import { expect, test } from '@jest/globals';
import { Dispatch } from '../../../lib/forwarder/dispatch.ts';
import { ProgressOfKinds } from '../../../lib/forwarder/progress-of-kinds.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';
import type { Resource } from '../../../lib/kubernetes/resource.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import type { Change, Route, Router } from '../../../lib/reconcile/routing.ts';
import { named } from './scripted-api.ts';

const seenAt = new Date(0);
const { signal } = new AbortController();

function changeOf(type: Change['type'], object: ClusterObject, resource: Resource = resources.claim): Change {
  return { type, resource, object, seenAt };
}

const toItself: Router['routesOf'] = ({ resource, object: { metadata } }) => [routeTo(metadata.name, resource)];

function routeTo(name: string, resource: Resource = resources.claim): Route {
  return { function: 'match-claim', resource, key: { namespace: 'prod', name } };
}

function stage(
  routesOf: Router['routesOf'] = toItself,
  since: Record<string, string> = {},
  reconsider: Router['reconsider'] = () => [],
) {
  const sent: string[] = [];
  const errors: string[] = [];
  /** The queue takes nothing before it is opened. */
  let open: (() => void) | undefined;
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  const waiting: (() => void)[] = [];
  const pause = async (milliseconds: number) => {
    if (milliseconds >= 10_000) await new Promise<void>((resolve) => waiting.push(resolve));
  };
  const passTime = () => {
    for (const resolve of waiting) resolve();
  };
  const clock = { now: () => seenAt, elapsedMs: () => 1_000, pause };
  const outbox = new Outbox({
    send: async (_, messages) => {
      await isOpen;
      for (const { body } of messages) {
        const { name, runid } = JSON.parse(body) as { name: string; runid?: string };
        sent.push(runid === undefined ? name : `${name} by ${runid}`);
      }
      return [];
    },
    clock,
    onFailure: () => {},
  });
  const progress = new ProgressOfKinds(since);
  const log = { info: () => {}, error: (line: string) => void errors.push(line), measure: () => {} };
  const router = { note: () => {}, routesOf, reconsider };
  const dispatch = new Dispatch({ cluster: 'main', router, outbox, log, clock, newRunId: () => 'a run', progress });
  const settle = async () => {
    open?.();
    await outbox.drained();
  };
  const due = () => dispatch.unfinished.take({ beforeMs: 0, max: 100, nowMs: 2_000, canSend: () => true });
  return { dispatch, outbox, passTime, progress, sent, errors, settle, due: () => due().map(({ cause }) => cause.uid) };
}

test('nothing of a list is sent before everything is listed', async () => {
  const { dispatch, sent, settle } = stage();
  dispatch.list(changeOf('listed', named('a', '5')));
  await settle();
  expect(sent).toEqual([]);
  await dispatch.sendListed(new Map([[resources.claim, '9']]), signal);
  await settle();
  expect(sent).toEqual(['a by a run']);
});

test('what a list finds to have changed since the checkpoint is sent, and the rest in the slow lane', async () => {
  const { dispatch, sent, settle, due } = stage(toItself, { persistentvolumeclaims: '7' });
  for (const [name, version] of Object.entries({ old: '7', new: '8' }))
    dispatch.list(changeOf('listed', named(name, version)));
  await dispatch.sendListed(new Map([[resources.claim, '9']]), signal);
  await settle();
  expect([sent, due()]).toEqual([['new by a run'], ['old']]);
});

test('of a cluster that is behind the checkpoint everything is sent', async () => {
  const { dispatch, progress, sent, settle } = stage(toItself, { persistentvolumeclaims: '70' });
  dispatch.list(changeOf('listed', named('a', '5')));
  await dispatch.sendListed(new Map([[resources.claim, '9']]), signal);
  await settle();
  expect([sent, progress.checkpoint]).toEqual([['a by a run'], { persistentvolumeclaims: '9' }]);
});

test('the checkpoint passes a change when its last message is taken, and what concerns nobody at once', async () => {
  const both: Router['routesOf'] = ({ object }) =>
    object.metadata.name === 'a' ? [routeTo('one'), routeTo('other')] : [];
  const { dispatch, progress, settle } = stage(both);
  dispatch.live(changeOf('updated', named('nobody', '4')));
  dispatch.live(changeOf('updated', named('a', '5')));
  dispatch.pass(resources.claim, '8');
  expect(progress.checkpoint).toEqual({ persistentvolumeclaims: '4' });
  await settle();
  expect(progress.checkpoint).toEqual({ persistentvolumeclaims: '8' });
});

test('however often one object changes while its queue is away, the checkpoint stays before the first of it', async () => {
  const { dispatch, progress, sent, settle } = stage();
  for (let version = 10; version < 1_000; version += 1)
    dispatch.live(changeOf('updated', named('hot', String(version))));
  expect(progress.checkpoint).toEqual({});
  await settle();
  expect(progress.checkpoint).toEqual({ persistentvolumeclaims: '999' });
  expect(sent.length).toBeLessThanOrEqual(2);
});

test('an object that cannot be understood is told and left out, and its kind goes on', async () => {
  const fails: Router['routesOf'] = (change) => {
    if (change.object.metadata.name === 'odd') throw new TypeError('spec is undefined');
    return toItself(change);
  };
  const { dispatch, progress, errors, sent, settle } = stage(fails);
  dispatch.live(changeOf('updated', named('odd', '5')));
  dispatch.live(changeOf('updated', named('well', '6')));
  await settle();
  expect([...new Set(errors)]).toEqual(['object skipped']);
  expect([sent, progress.checkpoint]).toEqual([['well'], { persistentvolumeclaims: '6' }]);
});

test('what is no name leads to no key', async () => {
  const { dispatch, sent, settle } = stage(() => [routeTo('../secrets'), routeTo('well')]);
  dispatch.live(changeOf('updated', named('a', '5')));
  await settle();
  expect(sent).toEqual(['well']);
});

test('what is deleted is not told again', async () => {
  const { dispatch, due, settle } = stage();
  dispatch.list(changeOf('listed', named('a', '5')));
  await dispatch.sendListed(new Map([[resources.claim, '9']]), signal);
  dispatch.live(changeOf('deleted', named('a', '10')));
  await settle();
  expect([due(), dispatch.unfinished.size]).toEqual([[], 0]);
});

test('what a change finishes of another object is not sent again, and what it begins is, without a message of its own', async () => {
  const { namespace, name } = named('other', '1').metadata;
  const work: Route[] = [];
  const about = { resource: resources.claim, key: { namespace: namespace ?? '', name } };
  const { dispatch, sent, settle } = stage(
    ({ object }) => (object.metadata.name === name ? [routeTo(name)] : []),
    { persistentvolumeclaims: '3' },
    ({ object }) => (object.metadata.name === name ? [] : [{ ...about, routes: [...work] }]),
  );
  dispatch.list(changeOf('listed', named(name, '2')));
  await dispatch.sendListed(new Map([[resources.claim, '3']]), signal);
  expect(dispatch.unfinished.size).toBe(1);
  dispatch.live(changeOf('updated', named('that ends it', '4')));
  expect(dispatch.unfinished.size).toBe(0);
  work.push({ ...routeTo(name), only: 'check' });
  dispatch.live(changeOf('updated', named('that seems to end it', '5')));
  expect(dispatch.unfinished.size).toBe(0);
  work.push(routeTo(name));
  dispatch.live(changeOf('updated', named('that begins it', '6')));
  await settle();
  const found = dispatch.unfinished.find({ ...about, ...about.key });
  expect([sent, dispatch.unfinished.size, found?.cause.uid]).toEqual([[], 1, 'that begins it']);
});

const many = 5_000;

function listMany(dispatch: Dispatch): void {
  for (let number = 0; number < many; number += 1) dispatch.list(changeOf('listed', named(`claim-${number}`, '5')));
}

test('what is listed comes up as fast as it is taken, and is passed when the last of it was', async () => {
  const { dispatch, outbox, progress, sent, settle } = stage();
  listMany(dispatch);
  const sending = dispatch.sendListed(new Map([[resources.claim, '9']]), signal);
  expect(outbox.size).toBeLessThan(many / 2);
  expect(progress.checkpoint).toEqual({});
  await settle();
  await sending;
  await settle();
  expect(new Set(sent).size).toBe(many);
  expect(progress.checkpoint).toEqual({ persistentvolumeclaims: '9' });
});

test.each(['stopped', 'out of time'])(
  'who is %s in the middle of what is listed has all of it wait, and passed nothing',
  async (why) => {
    const { dispatch, outbox, passTime, progress, sent, settle } = stage();
    listMany(dispatch);
    const stopping = new AbortController();
    const sending = dispatch.sendListed(new Map([[resources.claim, '9']]), stopping.signal);
    if (why === 'stopped') stopping.abort();
    else passTime();
    await sending;
    expect([outbox.size, progress.checkpoint]).toEqual([many, {}]);
    await settle();
    expect(new Set(sent).size).toBe(many);
    expect(progress.checkpoint).toEqual({ persistentvolumeclaims: '9' });
  },
);
