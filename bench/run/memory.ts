import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { MemoryLimit } from '../../test/memory/memory-limit.ts';
import { startApiServer } from '../../tools/control-plane/api-server.ts';
import { applyManifests } from '../../tools/control-plane/manifests.ts';
import { ApiRequests, inParallel } from '../forward/api-requests.ts';
import { bundled, ownFlags } from '../forward/bundled.ts';
import { Claims, namespaceOfClaims } from '../forward/claims.ts';
import { startMeasured } from '../forward/forwarder-process.ts';
import { atPace } from '../forward/pace.ts';
import { compared, type Result, result } from '../report.ts';
import { publishedFlags, RunCommand } from './command.ts';
import type { RunSettings } from './settings.ts';

const connections = 48;
/** These concern a key, and are worked on. */
const offeredOneIn = 10;
const limitMegabytes = 150;
const baseline = 'informers of @kubernetes/client-node for claims and volumes';

interface Stage {
  kubeconfigPath: string;
  claims: Claims;
  settings: RunSettings;
  progress: (line: string) => void;
}

/** The largest resident memory with this many claims, each with a volume, of which some are offered; then under churn. */
export async function memory(settings: RunSettings, progress: (line: string) => void): Promise<Result[]> {
  const server = await startApiServer(progress);
  const requests = new ApiRequests(server, connections);
  try {
    await applyManifests(server.kubeconfigPath, progress);
    await requests.create('/api/v1/namespaces', namespaceOfClaims);
    const claims = new Claims(requests);
    const { heldClaims } = settings;
    await claims.createMany(0, heldClaims, (index) => ({ isOffered: index % offeredOneIn === 0, isFenced: false }));
    await inParallel(heldClaims, connections, (index) => createVolume(requests, index));
    progress(`${heldClaims} claims and volumes made`);
    return await compare({ kubeconfigPath: server.kubeconfigPath, claims, settings, progress });
  } finally {
    requests.close();
    await server.stop();
  }
}

async function compare(stage: Stage): Promise<Result[]> {
  const empty = await peakOfOthers(stage, ['--eval', 'setInterval(() => {}, 1_000)']);
  const informers = fileURLToPath(new URL('./informers.ts', import.meta.url));
  const usual = await peakOfOthers(stage, [await bundled(informers), stage.kubeconfigPath]);
  const ours = await peakOfRun(stage, publishedFlags);
  const script = await peakOfRun(stage, ownFlags());
  const plain = await peakOfRun(stage, []);
  const many = `${stage.settings.heldClaims} claims and volumes`;
  const results = [
    result('an empty Node process', empty, 'MB'),
    result(baseline, usual, 'MB'),
    compared(`longshore run, ${many}, listed`, ours.listed, 'MB', baseline, usual),
    compared(`longshore run, ${many}, under churn`, ours.peak, 'MB', 'budget', limitMegabytes),
    compared('the same with the flags of npm run longshore', script.peak, 'MB', baseline, usual),
    compared('the same without flags of Node', plain.peak, 'MB', baseline, usual),
  ];
  if ((await MemoryLimit.whyNot()) !== undefined) return results;
  const limit = await MemoryLimit.of(limitMegabytes * 1024 * 1024);
  // What it says at its end is progress: a benchmark only reports.
  const limited = await peakOfRun(stage, publishedFlags, limit.members).catch((error) => stage.progress(String(error)));
  await limit.remove();
  const what = `in a cgroup of ${limitMegabytes} MB${limited ? '' : ': killed'}`;
  return [...results, compared(what, limited?.peak ?? limitMegabytes, 'MB', 'limit', limitMegabytes)];
}

async function peakOfRun(
  { kubeconfigPath, claims, settings, progress }: Stage,
  flags: readonly string[],
  limit?: string,
): Promise<{ listed: number; peak: number }> {
  const run = await RunCommand.start({ kubeconfigPath, flags, limit, args: ['--lease-seconds', '5'] });
  try {
    await run.untilForwarding();
    await run.untilHandled('match-claim', Math.ceil(settings.heldClaims / offeredOneIn));
    await run.process.requireRunning();
    const listed = (await run.process.memoryMb()).peak;
    const change = (turn: number) => claims.change((turn * 7_919) % settings.heldClaims);
    await atPace(settings.churnPerSecond, settings.churnSeconds, change);
    await run.process.requireRunning();
    const { peak } = await run.process.memoryMb();
    progress(`longshore run ${flags.join(' ')}${limit ? ', limited' : ''}: ${Math.round(peak)} MB`);
    return { listed, peak };
  } finally {
    await run.process.stop();
  }
}

/** It has read everything when its memory does not grow any more. */
async function peakOfOthers({ settings }: Stage, args: string[]): Promise<number> {
  const started = await startMeasured({ title: 'the baseline', args, environment: {} });
  try {
    let [before, peak] = [0, 1];
    while (peak > before) {
      await pause(settings.settledMs);
      [before, peak] = [peak, (await started.memoryMb()).peak];
    }
    return peak;
  } finally {
    await started.stop();
  }
}

async function createVolume(requests: ApiRequests, index: number): Promise<void> {
  await requests.create('/api/v1/persistentvolumes', {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: `volume-of-application-${String(index).padStart(6, '0')}` },
    spec: {
      accessModes: ['ReadWriteOnce'],
      capacity: { storage: '1Gi' },
      storageClassName: 'made-by-hand',
      persistentVolumeReclaimPolicy: 'Retain',
      csi: { driver: 'ebs.csi.aws.com', volumeHandle: `vol-${String(index).padStart(17, '0')}`, fsType: 'ext4' },
    },
  });
}
