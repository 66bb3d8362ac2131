import { type CapabilityName, capabilityNames } from '../../lib/capabilities/names.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import { durationText } from '../operate/duration.ts';
import type { ServerView } from '../operate/server-time.ts';
import { type Finding, ok, problem, warning } from './finding.ts';

/** Admission policies: the validating ones are served from here on, and the mutating ones from there on. */
const minMinor = 30;
const mutatingMinor = 36;
const maxClockMs = 5_000;
const maxUsableClockMs = 60_000;

type Capabilities = readonly CapabilityName[];

interface Version {
  major?: string;
  minor?: string;
  gitVersion?: string;
}

/** Policies are for volumes alone. */
export async function checkVersion(
  api: ClusterApi,
  capabilities: Capabilities = capabilityNames,
  hasWebhook = false,
): Promise<Finding[]> {
  const { major = '', minor = '', gitVersion = '?' } = (await api.get<Version>('/version')) ?? {};
  const number = Number.parseInt(minor, 10);
  const what = `Kubernetes ${gitVersion}`;
  if (major !== '1' || Number.isNaN(number)) return [warning('version', `${what}, which is not known`)];
  if (!capabilities.some((name) => name !== 'buckets')) return [ok('version', what)];
  if (number < minMinor) {
    const detail = `${what} has no admission policies, which protect transfers by annotation: update to 1.${minMinor}`;
    return [problem('version', `${detail}, or turn them off`)];
  }
  if (number < mutatingMinor && !hasWebhook) {
    const detail = `${what}: accepting claims and references must be written by hand before 1.${mutatingMinor}`;
    return [warning('version', detail)];
  }
  return [ok('version', what)];
}

export function checkClock({ aheadMs }: ServerView): Finding {
  if (aheadMs === undefined) return warning('clock', 'the server does not tell the time');
  const by = durationText(Math.abs(aheadMs));
  const detail = `this machine's clock is ${by} ${aheadMs > 0 ? 'behind' : 'ahead of'} the server's`;
  const remedy = 'timedatectl set-ntp true';
  if (Math.abs(aheadMs) > maxUsableClockMs) return problem('clock', detail, remedy);
  if (Math.abs(aheadMs) > maxClockMs) return warning('clock', detail, remedy);
  return ok('clock', 'agrees with the server');
}

/** Gates that matter, where the caller may read the server's metrics: managed clusters may not allow it. */
const gates = [
  'CrossNamespaceVolumeDataSource',
  'AnyVolumeDataSource',
  'MutatingAdmissionPolicy',
  'VolumeAttributesClass',
];

export async function checkGates(read: () => Promise<string>): Promise<Finding> {
  const text = await read().catch(() => '');
  const states = gates.flatMap((name) => {
    const found = new RegExp(`^kubernetes_feature_enabled\\{name="${name}",stage="[A-Z]*"\\} ([01])$`, 'm').exec(text);
    return found ? [`${name} ${found[1] === '1' ? 'on' : 'off'}`] : [];
  });
  if (states.length === 0) return ok('feature gates', 'not visible to you');
  return ok('feature gates', states.join(', '));
}
