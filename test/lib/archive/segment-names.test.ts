import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  clusterOfPrefix,
  clusterPrefix,
  decodeName,
  encodeName,
  parseSegmentName,
  segmentName,
  sortKeyAt,
} from '../../../lib/archive/segment-names.ts';
import { anyCharacter } from '../../support/any-character.ts';

const time = fc.integer({ min: 0, max: Date.UTC(2500, 0) }).map((milliseconds) => new Date(milliseconds));
const text = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 40 });
const names = fc.record({ cluster: text, time, writer: text, sequence: fc.nat() });

test('a name says the cluster, the day and the hour, and when its first message was sent', () => {
  const time = new Date('2026-11-19T01:19:59.123Z');
  expect(segmentName({ cluster: 'main', time, writer: '5f0c9a3be817', sequence: 3 })).toBe(
    'cluster=main/date=2026-11-19/hour=01/20261119T011959123Z-5f0c9a3be817-000003.ndjson.gz',
  );
});

test('a name is read as what it was made of, whatever the cluster is called', () => {
  fc.assert(fc.property(names, (parts) => expect(parseSegmentName(segmentName(parts))).toEqual(parts)));
});

test('a name has no characters but such as need no care anywhere', () => {
  fc.assert(
    fc.property(names, (parts) => {
      expect(segmentName(parts)).toMatch(
        /^cluster=[\w.-]+\/date=[\d-]{10}\/hour=\d\d\/\d{8}T\d{9}Z-[\w.-]+\.ndjson\.gz$/,
      );
    }),
  );
});

test('two clusters never share a prefix, and none is within that of another', () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      fc.pre(one !== other);
      expect(clusterPrefix(one).startsWith(clusterPrefix(other))).toBe(false);
    }),
  );
});

test.each([
  ['prod/eu west', 'prod_2feu_20west'],
  ['under_score', 'under_5fscore'],
  ['arn:aws:eks:eu-central-1:1:cluster/a', 'arn_3aaws_3aeks_3aeu-central-1_3a1_3acluster_2fa'],
  ['Köln', 'K_c3_b6ln'],
  ['../..', '.._2f..'],
])('%s is written as %s', (name, encoded) => {
  expect([encodeName(name), decodeName(encoded)]).toEqual([encoded, name]);
});

test('what all names of a cluster begin with tells the cluster, whatever it is called', () => {
  fc.assert(fc.property(text, (cluster) => expect(clusterOfPrefix(clusterPrefix(cluster))).toBe(cluster)));
});

test.each([
  ['is the same name in another spelling', 'cluster=_6dain/'],
  ['is the same name with other digits', 'cluster=under_5Fscore/'],
  ['is no text in UTF-8', 'cluster=_ff/'],
  ['has no name', 'cluster=/'],
  ['has more in it than we write', 'cluster=a b/'],
  ['is longer than any that we write', `cluster=${'a'.repeat(901)}/`],
  ['is nothing of a cluster', 'replays/'],
])('a folder that %s is of no cluster', (_, prefix) => {
  expect(clusterOfPrefix(prefix)).toBeUndefined();
});

test('names of a cluster sort by time, and by their sequence within a millisecond', () => {
  fc.assert(
    fc.property(time, time, fc.nat(999_999), fc.nat(999_999), (one, other, first, second) => {
      const [a, b] = [
        { cluster: 'main', time: one, writer: 'w', sequence: first },
        { cluster: 'main', time: other, writer: 'w', sequence: second },
      ];
      const order = one.getTime() - other.getTime() || first - second;
      const [nameOfA, nameOfB] = [segmentName(a), segmentName(b)];
      expect(Math.sign(order)).toBe(nameOfA < nameOfB ? -1 : Number(nameOfA > nameOfB));
    }),
  );
});

test('the start of a moment sorts before its segments and after all earlier ones', () => {
  fc.assert(
    fc.property(names, time, (parts, moment) => {
      const isAfter = segmentName(parts) > sortKeyAt(parts.cluster, moment.getTime());
      expect(isAfter).toBe(parts.time >= moment);
    }),
  );
});

test('moments before the first and after the last name are taken for these', () => {
  const name = segmentName({ cluster: 'main', time: new Date('2026-11-19T01:19:59Z'), writer: 'w', sequence: 0 });
  expect(sortKeyAt('main', -8.64e15) < name && name < sortKeyAt('main', 8.64e15)).toBe(true);
});

test.each(['cluster=main/', 'cluster=main/note.txt', 'cluster=main/date=2026-11-19/hour=01/', 'a.ndjson.gz'])(
  '%s is no segment',
  (name) => {
    expect(parseSegmentName(name)).toBeUndefined();
  },
);

test('a time that there is not makes no segment', () => {
  expect(
    parseSegmentName('cluster=main/date=2026-13-19/hour=01/20261319T011959123Z-w-000000.ndjson.gz'),
  ).toBeUndefined();
});

test('the longest name of a cluster still gives a name that S3 takes, and a longer one is refused with the reason', () => {
  const parts = { time: new Date(0), writer: '5f0c9a3be817', sequence: 999_999_999 };
  expect(segmentName({ cluster: 'é'.repeat(150), ...parts }).length).toBeLessThanOrEqual(1_024);
  expect(() => segmentName({ cluster: 'é'.repeat(151), ...parts })).toThrow('Use a shorter name');
});

test('half a character, which no bytes could tell, is refused', () => {
  expect(() => encodeName('a\ud800')).toThrow('is not valid Unicode');
});
