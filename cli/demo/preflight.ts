import { readSettings, type Switch } from '../../lib/capabilities/settings.ts';
import type { Choices } from '../../lib/install/choices.ts';
import { desiredObjects } from '../../lib/install/desired.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { checkForwarders } from '../check/active-forwarders.ts';
import { type Finding, ok, problem, warning } from '../check/finding.ts';
import { type Installation, readInstallation } from '../check/installation.ts';
import { checkCrds, checkPolicies } from '../check/installed.ts';
import { unlessDenied } from '../check/storage-checks.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import type { OpenedCluster } from '../connect/open.ts';
import { ifAllowed } from '../objects/refusals.ts';
import { askServer } from '../operate/server-time.ts';
import { releaseVersion } from '../release-version.ts';
import { namespaceOf } from './names.ts';
import { lackingFor, type Part } from './permissions.ts';
import {
  type BucketUse,
  type SnapshotUse,
  type StorageUse,
  useOfBuckets,
  useOfSnapshots,
  useOfStorage,
  type Wanted,
} from './uses.ts';

/** What the demo shows in this cluster. What is undefined is left out. */
export interface Plan {
  storage: StorageUse;
  handsOver: boolean;
  snapshot: SnapshotUse | undefined;
  bucket: BucketUse | undefined;
}

export interface Preflight {
  findings: Finding[];
  /** Why a part is left out. */
  leftOut: Partial<Record<Part, string>>;
  /** Undefined if there is a problem. */
  plan: Plan | undefined;
}

/** Finds out everything that can be known before anything is created. */
export async function lookAhead(opened: OpenedCluster, demo: string, wanted: Wanted): Promise<Preflight> {
  const { api } = opened;
  const namespace = namespaceOf(demo, 'a').metadata.name;
  const { aheadMs = 0 } = await askServer(api);
  const version = await releaseVersion();
  const installation = await readInstallation(api, version);
  const [installed, forwarder, permissions, storage, off] = await Promise.all([
    checkInstallation(api, installation, version),
    checkForwarders(api, aheadMs, inactive).catch(unlessDenied('forwarder')),
    checkPermissions(api, namespace),
    useOfStorage(api, wanted),
    switchedOff(opened, installation.choices),
  ]);
  const moving = off.transfers === undefined ? [] : [problem('transfers', off.transfers)];
  const storing = 'lacking' in storage ? problem('storage class', storage.lacking) : ok('storage class', storage.said);
  const needed = [...installed, ...forwarder, ...permissions, ...moving, storing];
  if ('lacking' in storage) return { findings: needed, leftOut: {}, plan: undefined };

  const leftOut: Preflight['leftOut'] = {};
  const findings: Finding[] = [];
  const part = <T extends { said: string }>(
    name: Part,
    subject: string,
    use: T | { lacking: string },
  ): T | undefined => {
    if (!('lacking' in use)) {
      findings.push(ok(subject, use.said));
      return use;
    }
    leftOut[name] = use.lacking;
    findings.push(warning(subject, `left out: ${use.lacking}`));
    return undefined;
  };
  const unless = async <T>(why: string | undefined, use: () => Promise<T | { lacking: string }>) =>
    why === undefined ? use() : { lacking: why };
  const [snapshots, buckets] = await Promise.all([
    unless(off.snapshots, () => useOfSnapshots(api, storage.driver, namespace, wanted)),
    unless(off.buckets, () => useOfBuckets(api, namespace, wanted)),
  ]);
  const plan: Plan = {
    storage,
    handsOver: part('hand-over', 'annotations', await unless(off.annotations, async () => byAnnotation)) !== undefined,
    snapshot: part('snapshot', 'snapshots', snapshots),
    bucket: part('bucket', 'buckets', buckets),
  };
  const all = [...needed, ...findings];
  return { findings: all, leftOut, plan: all.some(({ level }) => level === 'problem') ? undefined : plan };
}

const byAnnotation = { said: 'claims can be handed over' };

/** What a later release needs cannot be compared, and its finding is a problem. */
async function checkInstallation(
  api: ClusterApi,
  { choices, isNewer, findings }: Installation,
  version: string,
): Promise<Finding[]> {
  if (isNewer) return findings;
  const all = desiredObjects(choices, version);
  const compared = await Promise.all([
    checkCrds(api, all).catch(unlessDenied('CRDs')),
    checkPolicies(api, all).catch(unlessDenied('policies')),
  ]);
  return [...findings, ...compared.flat()];
}

const inactive = problem('forwarder', 'Longshore does not run for this cluster', 'longshore run');

async function checkPermissions(api: ClusterApi, namespace: string): Promise<Finding[]> {
  const lacking = (await lackingFor(api, 'always', namespace)) ?? [];
  if (lacking.length === 0) return [ok('permissions', 'you may create and delete all that this needs')];
  return [problem('permissions', `you may not ${lacking.join('; ')}: ask a cluster administrator`)];
}

type Work = 'transfers' | 'annotations' | 'snapshots' | 'buckets';

/** Why some work is not done in this cluster, as far as that can be read. */
async function switchedOff(
  { connection }: OpenedCluster,
  { capabilities }: Choices,
): Promise<Partial<Record<Work, string>>> {
  const settings = await ifAllowed(() => readSettings(new RestCluster('demo', connection)));
  const why = (capability: (typeof capabilities)[number], is: Switch = { isOn: true }) => {
    if (!capabilities.includes(capability)) return `capability ${capability} is not installed`;
    return is.isOn ? undefined : is.reason;
  };
  const found = {
    transfers: why('transfers', settings?.transfersByRequest),
    annotations: why('transfers', settings?.transfersByAnnotation),
    snapshots: why('data-sources', settings?.snapshots),
    buckets: why('buckets', settings?.buckets),
  };
  return Object.fromEntries(Object.entries(found).filter(([, reason]) => reason !== undefined));
}
