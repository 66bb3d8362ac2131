import { expect, test } from '@jest/globals';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { runUntil } from './case-forwarder.ts';
import { added, bookmark, expired, hanging, listed, named, type Script, type Told } from './scripted-api.ts';

const kinds = [resources.configMap];
const empty = { version: '1' };

/** A server that pages its lists, one after the other, and whose watches are told one after the other. */
function paging(pages: Script['page'], ...watches: Told[]): Script {
  const watch: Script['watch'] = (_, asked) => watches[asked] ?? hanging;
  return { streams: false, current: () => ({ version: '99' }), page: pages, watch };
}

test('what was missed is listed anew, and watched from there on', async () => {
  const pages = [{ version: '1', objects: [named('first', '1')] }, { status: 503 }];
  const later = { version: '5', objects: [named('first', '1'), named('second', '4')] };
  const script: Script = {
    ...paging((_, asked) => pages[asked] ?? later, { events: [expired], end: 'closed' }),
    current: () => ({ version: '5' }),
  };
  const { told, seen, asked } = await runUntil(
    { kinds, script },
    (ran) => ran.asked.at(-1) === 'configmaps watch from 5',
  );
  expect(seen).toEqual(['listed first', 'listed first', 'listed second']);
  expect(told).toEqual(['listed', 'watch failed; listing everything again', 'list failed', 'listed']);
  expect(asked.filter((question) => question.includes('watch'))).toEqual([
    'configmaps watch from 1',
    'configmaps watch from 5',
  ]);
});

test('a list is read page by page', async () => {
  const script = paging((_, __, query) => {
    const page = Number(query.get('continue') ?? 0);
    return { version: '7', objects: [named(`object-${page}`, '1')], ...(page < 2 ? { next: String(page + 1) } : {}) };
  });
  const { seen, sent } = await runUntil({ kinds, script }, (ran) => ran.sent.length === 3);
  expect(seen).toEqual(['listed object-0', 'listed object-1', 'listed object-2']);
  expect(sent.sort()).toEqual(['object-0 by a run', 'object-1 by a run', 'object-2 by a run']);
});

test('where the server streams a list, the same watch goes on with what changes', async () => {
  const events = [added(named('old', '3')), listed('5'), added(named('new', '6'))];
  const script: Script = { ...paging(() => empty, { events, end: 'hanging' }), streams: true };
  const { seen, sent, asked, forwarder } = await runUntil({ kinds, script }, (ran) => ran.sent.length === 2);
  expect(seen).toEqual(['listed old', 'added new']);
  expect(sent).toEqual(['old by a run', 'new']);
  expect(asked).toEqual(['configmaps now', 'configmaps watch with a list']);
  expect(forwarder.checkpoint).toEqual({ configmaps: '6' });
});

test('what changes while a list is streamed is part of it, and what goes is not in it any more', async () => {
  const gone = named('gone', '3');
  const events = [
    added(gone),
    added(named('kept', '2')),
    { type: 'MODIFIED', object: named('kept', '4') },
    { type: 'DELETED', object: { ...gone, metadata: { ...gone.metadata, resourceVersion: '5' } } },
    listed('6'),
  ];
  const script: Script = { ...paging(() => empty, { events, end: 'hanging' }), streams: true };
  const { asked, sent, forwarder } = await runUntil({ kinds, script }, (ran) => ran.sent.length === 2);
  expect(asked).toEqual(['configmaps now', 'configmaps watch with a list']);
  expect(sent.sort()).toEqual(['gone by a run', 'kept by a run']);
  expect([forwarder.unfinished, forwarder.checkpoint]).toEqual([1, { configmaps: '6' }]);
});

test('a list that breaks off before its end counts for nothing, neither its objects nor its versions', async () => {
  const watches: Told[] = [
    { events: [added(named('old', '3'))], end: 'closed' },
    { events: [added(named('old', '3')), listed('5')], end: 'hanging' },
  ];
  const script: Script = { ...paging(() => empty, ...watches), streams: true };
  const { told, sent, forwarder } = await runUntil({ kinds, script }, (ran) => ran.sent.length === 1);
  expect(told).toEqual(['list failed', 'listed']);
  expect(sent).toEqual(['old by a run']);
  expect(forwarder.checkpoint).toEqual({ configmaps: '5' });
});

test('a server that begins another watch than the one with a list is asked for pages', async () => {
  const watches: Told[] = [{ events: [added(named('old', '3')), bookmark('5')], end: 'hanging' }];
  const script = paging(() => ({ version: '6', objects: [named('old', '3')] }), ...watches);
  const { asked, sent } = await runUntil({ kinds, script: { ...script, streams: true } }, (ran) => ran.sent.length > 0);
  expect(asked.slice(0, 3)).toEqual(['configmaps now', 'configmaps watch with a list', 'configmaps page']);
  expect(sent).toEqual(['old by a run']);
});

test.each([
  ['cut off in the middle of a line', '{"type":"MODIFIED","object":{"metadata":{"na'],
  ['garbled', '{"type":"MODIFIED","object":{"metadata":{"name":"third""}}}\n'],
])('after a line that is %s, the watch goes on behind what came before it', async (_, line) => {
  const first: Told = { events: [added(named('first', '3')), line], end: 'closed' };
  const second: Told = { events: [added(named('second', '4'))], end: 'hanging' };
  const script = paging(() => empty, first, second);
  const { asked, seen, told } = await runUntil({ kinds, script }, (ran) => ran.seen.length === 2);
  expect(seen).toEqual(['added first', 'added second']);
  expect(asked.filter((question) => question.includes('watch'))).toEqual([
    'configmaps watch from 1',
    'configmaps watch from 3',
  ]);
  expect(told).toEqual(['listed', 'watch failed']);
});

test('a watch that the server ends goes on from its last bookmark, without a word', async () => {
  const script = paging(() => empty, { events: [bookmark('9')], end: 'closed' });
  const { told, forwarder } = await runUntil({ kinds, script }, (ran) => ran.asked.includes('configmaps watch from 9'));
  expect(told).toEqual(['listed']);
  expect(forwarder.checkpoint).toEqual({ configmaps: '9' });
});

test('a connection that breaks is told, and the watch goes on from where it was', async () => {
  const script = paging(() => empty, { events: [bookmark('9')], end: 'broken' });
  const { told } = await runUntil({ kinds, script }, (ran) => ran.asked.includes('configmaps watch from 9'));
  expect(told).toEqual(['listed', 'watch failed']);
});

test('a server that has gone back to an older state is noticed, and everything is listed anew', async () => {
  const pages = [{ version: '100', objects: [] }];
  const restored = { version: '50', objects: [named('back', '40')] };
  const script: Script = {
    ...paging((_, asked) => pages[asked] ?? restored, { events: [], end: 'closed' }),
    current: (_, asked) => (asked < 2 ? { version: '100' } : { version: '50' }),
  };
  const { told, sent, forwarder } = await runUntil({ kinds, script }, (ran) => ran.sent.length > 0);
  expect(told).toContain('watch failed; listing everything again');
  expect(sent).toEqual(['back by a run']);
  expect(forwarder.checkpoint).toEqual({ configmaps: '50' });
});

const denied = { status: 403, message: 'secrets is forbidden: User "forward" cannot list resource "secrets"' };
const both = [resources.secret, resources.configMap];
const askedOf = (kind: string, asked: readonly string[]) =>
  asked.filter((question) => question.startsWith(kind)).length;

test('a kind that may not be listed is left out without noise, and the others go on', async () => {
  const script: Script = { ...paging(() => empty), current: (plural) => (plural === 'secrets' ? denied : empty) };
  const { told, asked } = await runUntil({ kinds: both, script }, (ran) => askedOf('secrets', ran.asked) > 4);
  expect(told).toEqual(['kind left out until the cluster serves it and lets it be read', 'listed']);
  expect(asked).toContain('configmaps watch from 1');
});

test('a kind that may no longer be watched is left out from then on', async () => {
  let isAllowed = true;
  const script: Script = {
    ...paging(() => empty),
    current: (plural) => (plural === 'secrets' && !isAllowed ? denied : empty),
    watch: (plural, asked) => {
      if (plural !== 'secrets' || asked > 0) return hanging;
      isAllowed = false;
      return { events: [], end: 'closed' };
    },
  };
  const { told } = await runUntil({ kinds: both, script }, (ran) => ran.told.length > 3);
  expect(told).toEqual([
    'listed',
    'watch failed; listing everything again',
    'kind left out until the cluster serves it and lets it be read',
    'listed',
  ]);
});

test('a kind that appears is listed, and everything with it', async () => {
  const script: Script = { ...paging(() => empty), served: (asked) => (asked < 3 ? [] : ['buckets']) };
  const wanted = [resources.bucket, resources.configMap];
  const { told } = await runUntil({ kinds: wanted, script }, ({ asked }) => asked.includes('buckets watch from 1'));
  expect(told).toEqual([
    'kind left out until the cluster serves it and lets it be read',
    'listed',
    'kind appeared; listing everything again',
    'listed',
  ]);
});
