import { expect, test } from '@jest/globals';
import { parse } from 'yaml';
import type { Claim, ClusterObject } from '../../lib/kubernetes/objects.ts';
import { people } from './case-commands.ts';
import { bytesIn, makeSource } from './case-snapshot-sources.ts';
import { driver, runSnapshots } from './case-snapshots.ts';

const cluster = runSnapshots();
const client = () => cluster.parts().client;
const persons = people(client, () => cluster.parts().kubeconfig);

test('a snapshot is restored as soon as the grant that is printed is applied', async () => {
  const source = await makeSource(cluster);
  const person = await persons.in(source.test);
  const given = ['restore', 'backup', '--from', source.prod, '--to-name', 'copy', '--class', driver, '-n', source.test];
  const sizeless = persons.call(person, ...given);
  expect([await sizeless.code(), sizeless.err]).toEqual([2, expect.stringContaining('Give the size with --size')]);

  const restore = persons.call(person, ...given, '--size', '1Gi');
  await restore.says('NotGranted: ');
  const waiting = persons.call(person, 'pending', '-n', source.test);
  expect(await waiting.code()).toBe(0);
  expect(waiting.out).toContain(`waits for namespace ${source.prod}`);
  expect(waiting.out).toContain(
    `longshore restore backup --from ${source.prod} --to-name copy -n ${source.test} --no-wait`,
  );

  const [, manifest = ''] = /<<'EOF'\n([\s\S]*?)\nEOF\n/.exec(restore.out) ?? [];
  await client().create(parse(manifest) as ClusterObject);
  expect([await restore.code(), restore.out]).toEqual([0, expect.stringContaining('copy has the data of')]);
  const metadata = { namespace: source.test, name: 'copy' };
  const claim = await client().until<Claim>({ ...source.claim, metadata });
  expect((await bytesIn(cluster, claim)).equals(source.bytes)).toBe(true);
});
