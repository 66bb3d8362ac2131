import { describe, expect, test } from '@jest/globals';
import type { OwnedResource } from '../../../../../lib/capabilities/buckets/drivers/sweepable-driver.ts';
import type { FoundItem, Verdict } from '../../../../../lib/capabilities/buckets/sweep/finding.ts';
import {
  type Evidence,
  findOrphans,
  steadyContents,
} from '../../../../../lib/capabilities/buckets/sweep/judge-orphans.ts';
import type { Views } from '../../../../../lib/capabilities/buckets/sweep/views.ts';
import { content, contentName, deletionTimestamp, now, ready, storeName, uid } from '../bucket-stages.ts';

const old = now.getTime() - 2 * 60 * 60_000;
const young = now.getTime() - 60_000;
const gone = '11111111-2222-3333-4444-555555555555';

function item(also: Partial<OwnedResource> = {}): FoundItem {
  const made: OwnedResource = {
    kind: 'user',
    name: 'cosi-x',
    owner: gone,
    cluster: 'main',
    madeAt: old,
    keys: [],
    ...also,
  };
  return { store: 'store', driver: 's3.example.com', item: made, accounts: ['account'], believedOf: undefined };
}

const place = `main/${contentName}`;
const key = (id: string, madeAt: number | undefined = old) => ({ id, madeAt });
const views = (contents = [ready()], unread: string[] = []): Views => ({
  read: [{ cluster: 'main', contents, classes: [] }],
  unread,
});
const evidence = (found: FoundItem[], also: Partial<Evidence> = {}): Evidence => ({
  found,
  after: views(),
  clusters: ['main', 'other'],
  held: new Map(),
  now,
  accountOf: () => 'account',
  ...also,
});

describe('what is found in a store is', () => {
  test.each<[string, Partial<OwnedResource>, Partial<Evidence>, Verdict | undefined]>([
    ['an orphan, when no content has its owner', {}, {}, 'orphaned'],
    ['an orphan, also as a role', { kind: 'role' }, {}, 'orphaned'],
    ['an orphan, also when it says no cluster', { cluster: undefined }, {}, 'orphaned'],
    ['unclaimed, when it is a bucket', { kind: 'bucket' }, {}, 'unclaimed'],
    ['nothing to speak of, when a content names it', { kind: 'bucket', name: storeName }, {}, undefined],
    ['an orphan, when only a bucket of that name is meant', { name: storeName }, {}, 'orphaned'],
    ['nothing to speak of, when a content has its owner', { owner: uid }, {}, undefined],
    [
      'nothing to speak of, while its content is being deleted',
      { owner: uid },
      { after: views([ready({ metadata: { deletionTimestamp } })]) },
      undefined,
    ],
    ['nothing to speak of, before its content is ready', { owner: uid }, { after: views([content()]) }, undefined],
    ['nothing to speak of, when another cluster has its owner', { owner: uid, cluster: 'other' }, {}, undefined],
    ['elsewhere, when its cluster is none of ours', { cluster: 'former' }, {}, 'elsewhere'],
    ['undecided, while any cluster is not known', {}, { after: views([], ['other']) }, 'undecided'],
    ['undecided, also as a bucket', { kind: 'bucket' }, { after: views([], ['other']) }, 'undecided'],
  ])('%s', (_, found, also, verdict) => {
    expect(findOrphans(evidence([item(found)], also)).map((each) => each.verdict)).toEqual(verdict ? [verdict] : []);
  });
});

test('an orphan is told with its keys, and is one finding', () => {
  const [finding, ...others] = findOrphans(evidence([item({ keys: [key('AKIA1'), key('AKIA2')] })]));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ name: 'user/cosi-x', message: expect.stringContaining('AKIA1 and AKIA2') });
});

describe('a key of a user that is wanted is', () => {
  test.each<[string, Evidence['held'], number | undefined, boolean]>([
    ['kept, when its Secret holds it', new Map([[place, 'AKIA1']]), old, false],
    ['an orphan, when its Secret holds another', new Map([[place, 'AKIA2']]), old, true],
    ['left, when its Secret holds none', new Map([[place, undefined]]), old, false],
    ['left, when its Secret holds an empty one', new Map([[place, '']]), old, false],
    ['an orphan, when the store tells no age', new Map([[place, 'AKIA2']]), undefined, true],
    ['left, while it may be on its way there', new Map([[place, 'AKIA2']]), young, false],
    ['left, when what its Secret holds is not known', new Map(), old, false],
  ])('%s', (_, held, madeAt, isOrphan) => {
    const found = item({ owner: uid, keys: [{ id: 'AKIA1', madeAt }] });
    const expected = { verdict: 'orphaned', kind: 'key', name: 'key/AKIA1', user: 'cosi-x', owner: uid };
    expect(findOrphans(evidence([found], { held }))).toMatchObject(isOrphan ? [expected] : []);
  });
});

describe('what a store that a class names says of a cluster', () => {
  const told = (found: Partial<OwnedResource>, believedOf: string[]) =>
    findOrphans(evidence([{ ...item(found), believedOf }])).map(({ cluster, clusters, message }) => {
      return { cluster, clusters, message };
    });

  test('which uses it is believed', () => {
    expect(told({}, ['main'])).toMatchObject([{ cluster: 'main', clusters: undefined }]);
  });

  test('which does not use it is told to those that do', () => {
    const message = expect.stringContaining('it says main, which does not use that store');
    expect(told({}, ['other'])).toEqual([{ cluster: undefined, clusters: ['other'], message }]);
  });

  test('is told to those that use it, where it says none', () => {
    const message = 'The user cosi-x belongs to a Bucket that is gone';
    expect(told({ cluster: undefined }, ['other'])).toEqual([{ cluster: undefined, clusters: ['other'], message }]);
  });
});

test('a key that another account tells of is nobody’s of ours', () => {
  const found = { ...item({ owner: uid, keys: [key('AKIAFORGED')] }), accounts: ['another'] };
  expect(findOrphans(evidence([found], { held: new Map([[place, 'AKIA1']]) }))).toEqual([]);
});

test('a key that the Secret of a copy of the cluster holds, or may hold, is kept', () => {
  const found = item({ owner: uid, keys: [key('AKIA1')] });
  const after: Views = { read: [...views().read, { cluster: 'copy', contents: [ready()], classes: [] }], unread: [] };
  const names = (held: Evidence['held']) => findOrphans(evidence([found], { after, held })).map(({ name }) => name);
  expect(names(new Map([[place, 'AKIA2']]))).toEqual([]);
  expect(
    names(
      new Map([
        [place, 'AKIA2'],
        [`copy/${contentName}`, 'AKIA1'],
      ]),
    ),
  ).toEqual([]);
  expect(
    names(
      new Map([
        [place, 'AKIA2'],
        [`copy/${contentName}`, 'AKIA2'],
      ]),
    ),
  ).toEqual(['key/AKIA1']);
});

test('only what was ready before and is unchanged must have everything', () => {
  const changed = ready({ metadata: { resourceVersion: '2' } });
  const names = (before: Views, after: Views) => steadyContents(before, after, 'main').length;
  expect(names(views(), views())).toBe(1);
  expect(names(views([]), views())).toBe(0);
  expect(names(views(), views([changed]))).toBe(0);
  expect(names(views([content()]), views([content()]))).toBe(0);
  const begunBy = (startedBy: string) => views([ready({ status: { phase: 'Ready', startedBy } })]);
  expect(names(begunBy('main'), begunBy('main'))).toBe(1);
  expect(names(begunBy('test'), begunBy('test'))).toBe(0);
  const going = [ready({ metadata: { deletionTimestamp } })];
  expect(names(views(going), views(going))).toBe(0);
});
