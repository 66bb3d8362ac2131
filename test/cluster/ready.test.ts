import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { findKubectl } from '../../tools/control-plane/binaries.ts';
import { makeTransfer } from '../support/cluster-client.ts';
import { verdictOf } from '../support/kstatus.ts';
import { until } from '../support/patience.ts';
import { contentOf, giveBucketUp, untilBucketBound } from './case-bucket-waits.ts';
import { makeBucket, makeBucketFirst, planBucket, runBuckets } from './case-buckets.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { runDriver } from './case-driver.ts';
import { finishBriefly, finishInAllWays } from './case-finished.ts';
import { WithoutForwarder } from './case-resync.ts';

/** Its own control plane: nothing unfinished of other tests is in it. */
const own = ownControlPlane({ with: 'snapshots', controllerQueriesPerSecond: 200 });
const cluster = runDriver(own);
const longshore = runBuckets({ kubeconfig: own.kubeconfig });
const plan = () => planBucket({ provisioner: longshore.driver, releasePolicy: 'Delete' });
const run = promisify(execFile);

async function kubectl(...args: string[]): Promise<string> {
  const { stdout } = await run(await findKubectl(), ['--kubeconfig', own.kubeconfig(), ...args]);
  return stdout;
}

/** What `kubectl wait` of this object says, after at most so many seconds. */
async function waitFor({ kind, metadata: { namespace, name } }: ClusterObject, seconds: number): Promise<string> {
  const where = namespace === undefined ? [] : ['--namespace', namespace];
  const what = ['wait', '--for=condition=Ready', `${kind.toLowerCase()}/${name}`, `--timeout=${seconds}s`];
  return kubectl(...where, ...what).then(
    () => 'met',
    (error: Error & { stderr?: string }) => error.stderr ?? error.message,
  );
}

describe('kubectl wait --for=condition=Ready', () => {
  test('ends when a transfer is complete on both sides, and not before', async () => {
    const transfer = await makeTransfer(own.client());
    await own.client().create(transfer.request);
    expect(await waitFor(transfer.request, 3)).toContain('timed out waiting');
    const { namespace = '' } = transfer.request.metadata;
    expect(await kubectl('-n', namespace, 'get', 'streq', '-o', 'wide')).toMatch(
      /READY +REASON.* MESSAGE[\s\S]* False +ApprovalMissing .*there is no StorageTransferApproval/,
    );
    await own.client().create(transfer.approval);
    expect([await waitFor(transfer.request, 60), await waitFor(transfer.approval, 60)]).toEqual(['met', 'met']);
    expect(await kubectl('-n', namespace, 'get', 'streq')).toMatch(/ True +Complete /);
  });

  test('ends when a Bucket and its content can be used', async () => {
    const bucket = await makeBucket(own.client(), plan());
    expect(await waitFor(bucket, 60)).toBe('met');
    expect(await waitFor(await contentOf(own.client(), bucket), 60)).toBe('met');
    await giveBucketUp(own.client(), bucket);
  });

  test('does not take for ready what nobody has looked at', async () => {
    let bucket: ClusterObject | undefined;
    await longshore.away(async () => {
      const made = await makeBucketFirst(own.client(), plan());
      expect(verdictOf(made)).toMatchObject({ status: 'InProgress', message: expect.stringContaining('not looked') });
      expect(await waitFor(made, 1)).toContain('timed out waiting');
      bucket = made;
    });
    // There is no class for it.
    await until('it is looked at', async () => {
      const now = await own.client().get(bucket as ClusterObject);
      return now !== undefined && JSON.stringify(now).includes('ClassNotFound');
    });
    await own.client().delete(bucket as ClusterObject);
    await own.client().untilGone(bucket as ClusterObject);
  });
});

test('what is over is finished, in whichever way: nothing is sent again each minute, and a resync finds nothing', async () => {
  const [brief, made] = await Promise.all([
    finishBriefly(own.client()),
    makeBucket(own.client(), plan()),
    finishInAllWays(cluster, longshore),
  ]);
  const bucket = await untilBucketBound(own.client(), made);
  await until('nothing is unfinished', async () => longshore.unfinished() === 0);
  // It is so for a forwarder that has followed every change, and for one that begins with a list.
  await longshore.resync();
  await until('nothing is unfinished after a list', async () => longshore.unfinished() === 0);
  await Promise.all(brief.map((object) => own.client().untilGone(object)));
  const functions = new WithoutForwarder(own.kubeconfig());
  await functions.start();
  // It may not list Secrets.
  const { report } = await functions.resync({ isDryRun: true });
  functions.stop();
  expect(report).toMatchObject({ unfinished: 0, results: [] });
  expect(report.checks).toBeGreaterThan(0);
  await own.client().delete(bucket);
  await until('a deletion is unfinished, or over', async () => longshore.unfinished() > 0 || (await isGone(bucket)));
  await own.client().untilGone(bucket);
  await until('nothing is left unfinished', async () => longshore.unfinished() === 0);
});

async function isGone(object: ClusterObject): Promise<boolean> {
  return (await own.client().get(object)) === undefined;
}
