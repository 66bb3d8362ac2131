import { expect, test } from '@jest/globals';
import { silenceOf, tryWebhook } from '../../../lib/install/webhook-trial.ts';
import { ClusterError } from '../../../lib/kubernetes/errors.ts';
import { changed, claimsAnswered } from './claims-answered.ts';

const all = ['hold-accepting-claims', 'keep-references-to-snapshots', 'restored-claims-are-ordinary'];

test('a webhook that answers is seen by what becomes of claims, of which none is kept', async () => {
  const { api, tried } = claimsAnswered(changed);
  expect(await tryWebhook(api, ['transfers', 'data-sources'])).toEqual({ changed: all, unchanged: [], untried: [] });
  expect(tried.map(({ isDryRun }) => isDryRun)).toEqual([true, true, true]);
});

test('one that does not answer leaves them as they were written', async () => {
  const { api } = claimsAnswered((claim) => claim);
  const { changed: answered, unchanged } = await tryWebhook(api, ['transfers', 'data-sources']);
  expect([answered, unchanged.toSorted()]).toEqual([[], all]);
});

test('and so it is where a policy of ours refuses what was not changed, but not where somebody else does', async () => {
  const refusing = (message: string) =>
    claimsAnswered(() => {
      throw new ClusterError('rejected', message, 422);
    });
  const ours = refusing("ValidatingAdmissionPolicy 'longshore-accepting-claims-are-held' denied request: not held");
  expect((await tryWebhook(ours.api, ['data-sources'])).unchanged).toEqual(['keep-references-to-snapshots']);
  const others = refusing('exceeded quota: claims');
  expect(await tryWebhook(others.api, ['data-sources'])).toEqual({
    ...{ changed: [], unchanged: [] },
    untried: [{ policy: 'keep-references-to-snapshots', why: 'exceeded quota: claims' }],
  });
});

test('only what belongs to the capabilities is tried', async () => {
  const { api, tried } = claimsAnswered(changed);
  expect(await tryWebhook(api, ['buckets'])).toEqual({ changed: [], unchanged: [], untried: [] });
  expect(tried).toEqual([]);
});

test('what the server may do nothing about is an error', async () => {
  const { api } = claimsAnswered(() => {
    throw new ClusterError('denied', 'you may not', 403);
  });
  await expect(tryWebhook(api, ['transfers'])).rejects.toThrow('you may not');
});

test('what is said names the place, what does not work, and where to look', () => {
  const unchanged = ['restored-claims-are-ordinary', 'hold-accepting-claims'];
  const service = { namespace: 'longshore-system', name: 'longshore-run' };
  expect(silenceOf({ service, caBundle: 'PEM' }, { unchanged })).toMatch(
    /Service longshore-system\/longshore-run .*\(hold-accepting-claims, restored-claims-are-ordinary\).* --admission-ca names.*log of the API server/,
  );
  expect(silenceOf({ url: 'https://10.0.0.7:8443' }, { unchanged })).toMatch(
    /webhook at https:\/\/10\.0\.0\.7:8443 .*that the API server trusts/,
  );
});
