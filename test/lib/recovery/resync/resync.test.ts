import { expect, test } from '@jest/globals';
import type { Resource } from '../../../../lib/kubernetes/resource.ts';
import { resources } from '../../../../lib/kubernetes/resources.ts';
import type { Change, Router } from '../../../../lib/reconcile/routing.ts';
import { type ResyncOptions, resync, unsentOf } from '../../../../lib/recovery/resync/resync.ts';
import { hurriedClock } from '../../../support/hurried-clock.ts';
import { named, ScriptedApi } from '../../forwarder/scripted-api.ts';

/** Each claim leads to itself and to the volume of its name, and each volume to itself. */
const createRouter = (): Router => ({
  note: () => {},
  routesOf: ({ resource, object: { metadata } }: Change) => {
    const volume = { function: 'rebind-volume', resource: resources.volume as Resource, key: { name: metadata.name } };
    const key = { namespace: metadata.namespace ?? '', name: metadata.name };
    return resource === resources.volume ? [volume] : [{ function: 'match-claim', resource, key }, volume];
  },
});

function objectsOf(plural: string, names: readonly string[]) {
  return names.map((name) => {
    const object = named(name, '1');
    if (plural === 'persistentvolumes') delete (object.metadata as { namespace?: string }).namespace;
    return object;
  });
}

async function run(names: readonly string[], more: Partial<ResyncOptions> = {}) {
  const sent: string[] = [];
  const api = new ScriptedApi({
    current: () => ({ version: '1' }),
    watch: () => ({ events: [], end: 'closed' }),
    page: (plural) => ({ version: '1', objects: objectsOf(plural, names) }),
  });
  const report = await resync({
    cluster: 'main',
    api,
    routing: { resources: [resources.volume, resources.claim], createRouter },
    send: async (name, messages) => {
      for (const { body } of messages) sent.push(`${name} ${(JSON.parse(body) as { name: string }).name}`);
      return [];
    },
    clock: hurriedClock,
    log: { error: () => {} },
    signal: new AbortController().signal,
    newRunId: () => 'run-1',
    random: () => 0,
    ...more,
  });
  return { report, sent: sent.sort() };
}

test('a key is told once, whatever number of objects lead to it', async () => {
  const { report, sent } = await run(['a', 'b']);
  expect(sent).toEqual(['match-claim a', 'match-claim b', 'rebind-volume a', 'rebind-volume b']);
  expect(report).toMatchObject({ cluster: 'main', runId: 'run-1', objects: 4, unfinished: 4, leftOut: [] });
  expect(unsentOf(report)).toBe(0);
});

test('a dry run finds the same and sends nothing', async () => {
  let found = 0;
  const onFound: ResyncOptions['onFound'] = (_, all) => {
    found = all.length;
  };
  const { report, sent } = await run(['a', 'b'], { isDryRun: true, onFound });
  expect([report.unfinished, found, sent]).toEqual([4, 4, []]);
});

test.each([
  [{ resource: resources.claim }, ['match-claim a', 'match-claim b', 'rebind-volume a', 'rebind-volume b']],
  [{ resource: resources.volume, name: 'a' }, ['match-claim a', 'rebind-volume a']],
  [{ namespace: 'prod', name: 'b' }, ['match-claim b', 'rebind-volume b']],
  [{ namespace: 'stage' }, []],
  [{ resource: resources.bucket }, []],
])('of what is about %j all is told that belongs with it', async (wanted, expected) => {
  expect((await run(['a', 'b'], { wanted })).sent).toEqual(expected);
});

test('who is stopped each time after some messages comes to all of them in the end', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `claim-${index}`);
  const reached = new Set<string>();
  for (let attempt = 0; attempt < 40 && reached.size < 80; attempt += 1) {
    const stop = new AbortController();
    let count = 0;
    const onSent = () => {
      count += 1;
      if (count === 15) stop.abort();
    };
    const more = { random: () => attempt / 40, ratePerSecond: 100, signal: stop.signal, onSent };
    for (const each of (await run(names, more)).sent) reached.add(each);
  }
  expect(reached.size).toBe(80);
});
