import { beforeEach, describe, expect, test } from '@jest/globals';
import { applyPlan } from '../../../lib/install/apply-plan.ts';
import { findHolders } from '../../../lib/install/holders.ts';
import { makePlan } from '../../../lib/install/make-plan.ts';
import { planRemoval } from '../../../lib/install/removal.ts';
import { remove } from '../../../lib/install/remove.ts';
import { realClock } from '../../../lib/runtime/clock.ts';
import { MemoryApi } from './memory-api.ts';

const now = new Date('2026-11-20T12:00:00Z');
let api: MemoryApi;
beforeEach(() => {
  api = new MemoryApi();
});

const paths = {
  claim: '/api/v1/namespaces/a/persistentvolumeclaims',
  volume: '/api/v1/persistentvolumes',
  lease: '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases',
  bucket: '/apis/cosi.io/v1alpha1/namespaces/a/buckets',
  content: '/apis/cosi.io/v1alpha1/bucketcontents',
  class: '/apis/cosi.io/v1alpha1/bucketclasses',
  registration: '/apis/cosi.io/v1alpha1/cosiregistrations',
  request: '/apis/transfer.storage.k8s.io/v1alpha1/namespaces/a/storagetransferrequests',
  approval: '/apis/transfer.storage.k8s.io/v1alpha1/namespaces/a/storagetransferapprovals',
  link: '/apis/snapshot.storage.k8s.io/v1alpha1/namespaces/a/volumesnapshotlinks',
  copy: '/apis/snapshot.storage.k8s.io/v1/volumesnapshotcontents',
  grant: '/apis/gateway.networking.k8s.io/v1beta1/namespaces/a/referencegrants',
};
type Part = keyof typeof paths;
type Fields = { metadata?: object; [field: string]: unknown };

function put(part: Part, fields: Fields = {}): void {
  const namespace = /namespaces\/([^/]+)/.exec(paths[part])?.[1];
  const { metadata, ...others } = fields;
  const own = { name: 'one', ...(namespace === undefined ? {} : { namespace }), ...metadata };
  api.changeAs('somebody', `${paths[part]}/one`, { apiVersion: 'v1', kind: part, metadata: own, ...others });
}

const held = async () => (await findHolders(api, now)).map(({ what, names }) => `${what}: ${names}`);
const annotated = (annotations: Record<string, string>) => ({ metadata: { annotations } });
const lease = (holderIdentity: string, renewTime: string) => ({
  spec: { holderIdentity, renewTime, leaseDurationSeconds: 15 },
});

describe('what still needs Longshore', () => {
  test.each<[string, Part, Fields, string]>([
    [
      'a process',
      'lease',
      lease('run', '2026-11-20T11:59:50.000000Z'),
      'Lease that somebody renews: longshore-system/one',
    ],
    ['a Bucket', 'bucket', {}, 'Bucket: a/one'],
    [
      'a content alone',
      'content',
      { spec: { bucketRef: { namespace: 'a', name: 'gone' } } },
      'BucketContent without its Bucket: one',
    ],
    ['a class', 'class', {}, 'BucketClass: one'],
    ['a request', 'request', {}, 'StorageTransferRequest in progress: a/one'],
    [
      'a request that is done',
      'request',
      { status: { complete: true } },
      'StorageTransferRequest that is complete: a/one',
    ],
    ['an approval', 'approval', {}, 'StorageTransferApproval: a/one'],
    ['a link', 'link', {}, 'VolumeSnapshotLink: a/one'],
    [
      'a claim with our finalizer',
      'claim',
      { metadata: { finalizers: ['longshore.dev/transfer'] } },
      'claim that Longshore works on or holds: a/one',
    ],
    [
      'a claim that is given away',
      'claim',
      annotated({ 'pvc.kubernetes.io/transfer-status': 'pending' }),
      'claim that Longshore works on or holds: a/one',
    ],
    [
      'a claim that is offered, and not seen yet',
      'claim',
      annotated({ transferRequest: 'b/two' }),
      'claim that Longshore works on or holds: a/one',
    ],
    [
      'a claim that accepts another',
      'claim',
      annotated({ transferAccept: 'b/two' }),
      'claim that Longshore works on or holds: a/one',
    ],
    [
      'a claim that waits for us',
      'claim',
      { spec: { dataSourceRef: { apiGroup: 'longshore.dev', kind: 'Transfer' } }, status: { phase: 'Pending' } },
      'claim that Longshore works on or holds: a/one',
    ],
    [
      'a volume that is kept',
      'volume',
      { metadata: { labels: { 'longshore.dev/kept': 'without-claim' } } },
      'volume that Longshore keeps: one',
    ],
    [
      'a volume with another policy',
      'volume',
      annotated({ 'longshore.dev/original-reclaim-policy': 'Delete' }),
      'volume that Longshore keeps: one',
    ],
    [
      'a copy',
      'copy',
      annotated({ 'longshore.dev/populates': 'a/one/uid' }),
      'VolumeSnapshotContent that is a copy: one',
    ],
  ])('is %s', async (_, part, fields, sentence) => {
    put(part, fields);
    expect(await held()).toEqual([sentence]);
  });

  test.each<[string, Part, Fields]>([
    ['a lease that nobody holds', 'lease', lease('', '2026-11-20T11:59:50Z')],
    ['a lease that nobody renews', 'lease', lease('run', '2026-11-20T11:59:00Z')],
    [
      'a bound claim with our data source',
      'claim',
      { spec: { dataSourceRef: { apiGroup: 'longshore.dev', kind: 'Transfer' } }, status: { phase: 'Bound' } },
    ],
    ['a claim that was transferred', 'claim', annotated({ 'pvc.kubernetes.io/transfer-status': 'complete' })],
    [
      'a claim that has what it accepted',
      'claim',
      annotated({ transferAccept: 'b/two', 'pvc.kubernetes.io/transfer-status': 'complete' }),
    ],
    ['a claim that offers nothing', 'claim', annotated({ transferRequest: '' })],
    ['a claim with the finalizers of others', 'claim', { metadata: { finalizers: ['kubernetes.io/pvc-protection'] } }],
    [
      'a volume whose transfer is done',
      'volume',
      annotated({ 'longshore.dev/original-reclaim-policy': 'Delete', 'longshore.dev/transfer-done': 'true' }),
    ],
    ['a content of others', 'copy', {}],
  ])('is not %s', async (_, part, fields) => {
    put(part, fields);
    expect(await held()).toEqual([]);
  });

  test('is a Bucket once, with its content', async () => {
    put('bucket');
    put('content', { spec: { bucketRef: { namespace: 'a', name: 'one' } } });
    expect(await held()).toEqual(['Bucket: a/one']);
  });

  test('is told with what to do about it', async () => {
    put('bucket');
    const [{ todo } = { todo: '' }] = await findHolders(api, now);
    expect(todo).toContain('delete it while Longshore runs');
  });

  test.each<[Part, string]>([
    ['bucket', 'longshore bucket delete one -n a --wait'],
    ['class', 'kubectl delete bucketclass/one'],
    ['request', 'kubectl delete streq/one -n a'],
    ['approval', 'kubectl delete stappr/one -n a'],
    ['link', 'kubectl delete volumesnapshotlink/one -n a'],
  ])('is told with what to type about a %s', async (part, line) => {
    put(part);
    const [found] = await findHolders(api, now);
    expect(found?.commands?.map((words) => words.join(' '))).toEqual([line]);
  });

  test('has the process that renews its lease at the end, since the rest needs it', async () => {
    put('lease', lease('run', '2026-11-20T11:59:50.000000Z'));
    put('bucket');
    put('copy', annotated({ 'longshore.dev/populates': 'a/one/uid' }));
    expect((await held()).at(-1)).toContain('Lease');
  });
});

describe('removing', () => {
  const options = () => ({ clock: realClock, deadlineMs: realClock.elapsedMs() + 10_000, progress: () => {} });
  beforeEach(async () => {
    await applyPlan(api, await makePlan(api, { version: '1.0.0' }), options());
  });

  test('leaves what others have installed under the same names', async () => {
    const path = '/apis/rbac.authorization.k8s.io/v1/clusterroles/longshore-more';
    api.objects.set(path, { apiVersion: 'v1', kind: 'ClusterRole', metadata: { name: 'longshore-more' } });
    await remove(api, await planRemoval(api, now), options());
    expect([...api.objects.keys()]).toEqual([path]);
  });

  test('takes the registrations of drivers with it', async () => {
    put('registration');
    await remove(api, await planRemoval(api, now), options());
    expect([...api.objects.keys()]).toEqual([]);
  });

  test('takes no kind of which somebody has created an object meanwhile', async () => {
    const planned = await planRemoval(api, now);
    put('bucket');
    await expect(remove(api, planned, options())).rejects.toThrow(
      'customresourcedefinition/buckets.cosi.io stays: there is Bucket a/one. Run uninstall again',
    );
    expect(api.objects.has(`${paths.bucket}/one`)).toBe(true);
  });

  test.each([
    ['there are grants', () => put('grant'), 'there are grants, such as a/one'],
    [
      'others have taken it over',
      () =>
        api.changeAs(
          'kubectl',
          '/apis/apiextensions.k8s.io/v1/customresourcedefinitions/referencegrants.gateway.networking.k8s.io',
          {
            spec: { scope: 'Namespaced' },
          },
        ),
      'kubectl has taken it over',
    ],
  ])('leaves ReferenceGrant where %s', async (_, change, why) => {
    change();
    const planned = await planRemoval(api, now);
    expect(planned.left.map(({ object, why: said }) => [object.metadata.name, said])).toEqual([
      ['referencegrants.gateway.networking.k8s.io', why],
    ]);
  });

  test('needs the right to do so', async () => {
    api.denied.add('delete clusterroles');
    await expect(planRemoval(api, now)).rejects.toThrow('\n- clusterroles.rbac.authorization.k8s.io: delete');
  });
});
