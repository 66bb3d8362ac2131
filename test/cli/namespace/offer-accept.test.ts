import { expect, test } from '@jest/globals';
import { acceptIn } from '../../../cli/accept/accept.ts';
import { acceptingClaim } from '../../../cli/accept/accepting-claim.ts';
import { offerIn } from '../../../cli/offer/offer.ts';
import { claim as claimOf } from '../../../tools/local/transfer-objects.ts';
import { FakeCluster, workIn } from './fake-cluster.ts';

const plain = claimOf({ namespace: 'team-b', name: 'db' }, 'standard');
const grown = { ...plain, status: { phase: 'Bound' as const, capacity: { storage: '5Gi' } } };
const places = { claim: 'db', toNamespace: 'team-a', toName: 'copy' };
const owner = { namespace: 'team-b' };

test('an offer names the claim that gets it, and prints what the other side has to type', async () => {
  const cluster = new FakeCluster(grown);
  const { work, told } = workIn(cluster, owner);
  expect(await offerIn(work, places, { to: '', wait: false })).toBe(0);
  expect(cluster.get(plain)?.metadata.annotations).toEqual({ transferRequest: 'team-a/copy' });
  expect(told.questions[0]).toContain('  size:    5Gi');
  expect(told.out[0]).toContain(
    'longshore accept pvc/db --from team-b --to-name copy -n team-a --size 5Gi --class standard --access-mode ReadWriteOnce',
  );
});

test('it is safe to delete the claim as soon as Longshore says so, and not before', async () => {
  const cluster = new FakeCluster(grown);
  const uid = cluster.get(plain)?.metadata.uid ?? '';
  const annotations = { transferRequest: 'team-a/copy', 'pvc.kubernetes.io/transfer-status': 'pending' };
  const finalizers = ['longshore.dev/transfer-offer'];
  const { work, told } = workIn(cluster, {
    ...owner,
    meanwhile: () => cluster.put({ ...grown, metadata: { ...grown.metadata, uid, annotations, finalizers } }),
  });
  expect(await offerIn(work, places, { to: '', wait: true, yes: true })).toBe(0);
  expect(told.out[0]).not.toContain('kubectl delete');
  expect(told.out.at(-1)).toContain('The volume is safe. When the claim is not needed here any more');
});

test('what is offered to others is redirected only when that is said', async () => {
  const annotations = { transferRequest: 'team-c/db' };
  const cluster = new FakeCluster({ ...grown, metadata: { ...grown.metadata, annotations } });
  const { work } = workIn(cluster, owner);
  await expect(offerIn(work, places, { to: '', wait: false })).rejects.toThrow('is offered to team-c/db already');
  expect(await offerIn(work, places, { to: '', wait: false, redirect: true, dryRun: true })).toBe(0);
  expect(cluster.get(plain)?.metadata.annotations).toEqual(annotations);
  expect(await offerIn(work, places, { to: '', wait: false, redirect: true })).toBe(0);
  expect(cluster.get(plain)?.metadata.annotations).toEqual({ transferRequest: 'team-a/copy' });
});

test('the accepting claim is held on every server, with all that the volume has', async () => {
  const fit = {
    size: '5Gi',
    className: '',
    accessModes: ['ReadWriteMany'],
    volumeMode: 'Block',
    attributesClass: 'gold',
  };
  const claim = acceptingClaim({ namespace: 'team-a', toName: 'copy', from: 'team-b', claim: 'db' }, fit);
  expect(claim).toEqual({
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { namespace: 'team-a', name: 'copy', annotations: { transferAccept: 'team-b/db' } },
    spec: {
      accessModes: ['ReadWriteMany'],
      resources: { requests: { storage: '5Gi' } },
      storageClassName: '',
      volumeMode: 'Block',
      volumeAttributesClassName: 'gold',
      dataSourceRef: { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' },
      selector: { matchLabels: { 'longshore.dev/volume': 'transferred' } },
    },
  });
});

test('without a look at the offered claim the size must be given, and a claim with another purpose is left alone', async () => {
  const cluster = new FakeCluster(grown);
  cluster.denied.add('get persistentvolumeclaims team-b');
  const wish = { namespace: 'team-a', from: 'team-b', claim: 'db', toName: 'copy' };
  const { work } = workIn(cluster);
  await expect(acceptIn(work, wish, { from: 'team-b' })).rejects.toThrow('say with --size, --class and --access-mode');
  cluster.denied.clear();
  expect(await acceptIn(work, wish, { from: 'team-b' })).toBe(0);
  const made = cluster.get(claimOf({ namespace: 'team-a', name: 'copy' }, ''));
  expect(made).toMatchObject({ spec: { resources: { requests: { storage: '5Gi' } }, storageClassName: 'standard' } });
  const other = { ...wish, claim: 'cache' };
  await expect(acceptIn(work, other, { from: 'team-b', size: '1Gi' })).rejects.toThrow('does not accept team-b/cache');
});
