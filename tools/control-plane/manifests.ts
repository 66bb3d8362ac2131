import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  ApiException,
  CoreV1Api,
  CustomObjectsApi,
  type KubeConfig,
  type KubernetesObject,
  KubernetesObjectApi,
  loadAllYaml,
  PatchStrategy,
  type V1PersistentVolumeClaim,
} from '@kubernetes/client-node';
import { PatientKubeConfig } from '../local/patient-kubeconfig.ts';
import { patient } from '../processes/patience.ts';
import { kubeconfigOf } from './kubeconfig.ts';

const manifests = fileURLToPath(new URL('../../manifests', import.meta.url));
const systemNamespace = 'longshore-system';
const tokenLifetimeSeconds = 24 * 3600;

const pollMs = 100;
const activeWithinMs = patient(90_000);
/** Policies of both kinds become active at about the same time. */
const alsoActiveWithinMs = patient(20_000);
const mutatingKinds = ['MutatingAdmissionPolicy', 'MutatingAdmissionPolicyBinding'];
/** The kinds that a cluster may not serve, by the version of their group. All others are applied. */
const mayBeLacking = [
  // Served from Kubernetes 1.36 on.
  { group: 'admissionregistration.k8s.io', version: 'v1', kinds: mutatingKinds },
  // Comes with the volume data source validator, which not every cluster has.
  { group: 'populator.storage.k8s.io', version: 'v1beta1', kinds: ['VolumePopulator'] },
];
/** The policies, one of each kind, whose effect can be seen without creating an object. */
const probedPolicy = 'longshore-accepting-claims-are-held';
const probedMutatingPolicy = 'longshore-hold-accepting-claims';

type Progress = (line: string) => void;

/** Applies the same as `kubectl apply --recursive -f manifests`, in an order that needs no second attempt. */
export async function applyManifests(kubeconfigPath: string, progress: Progress = () => {}): Promise<void> {
  const config = load(kubeconfigPath);
  const client = KubernetesObjectApi.makeApiClient(config);
  const lacking = await lackingKinds(config);
  const objects = await readManifests();
  for (const object of objects) {
    const { kind = '', metadata } = object;
    if (lacking.includes(kind)) progress(`Left out ${kind} ${metadata?.name}: the cluster does not serve this kind`);
    else await client.patch(object, undefined, undefined, 'longshore-installer', true, PatchStrategy.ServerSideApply);
  }
  for (const { kind, metadata } of objects) {
    if (kind === 'CustomResourceDefinition') await untilServed(client, metadata?.name ?? '');
  }
  await untilAdmissionActive(kubeconfigPath, progress);
}

async function lackingKinds(config: KubeConfig): Promise<string[]> {
  const lacking = mayBeLacking.map(async ({ group, version, kinds }) => {
    const served = await servedKinds(config, group, version);
    return kinds.filter((kind) => !served.includes(kind));
  });
  return (await Promise.all(lacking)).flat();
}

/** Those of these kinds that a cluster does not serve, each in its version. */
export async function unservedOf<T extends { apiVersion: string; kind: string }>(
  kubeconfigPath: string,
  wanted: readonly T[],
): Promise<T[]> {
  const config = load(kubeconfigPath);
  const isServed = wanted.map(async ({ apiVersion, kind }) => {
    const [group = '', version = ''] = apiVersion.split('/');
    return (await servedKinds(config, group, version)).includes(kind);
  });
  const served = await Promise.all(isServed);
  return wanted.filter((_, index) => !served[index]);
}

async function servedKinds(config: KubeConfig, group: string, version: string): Promise<string[]> {
  try {
    const { resources } = await config.makeApiClient(CustomObjectsApi).getAPIResources({ group, version });
    return resources.map(({ kind }) => kind);
  } catch (error) {
    // The cluster does not have this group, or has another version of it.
    if (error instanceof ApiException && error.code === 404) return [];
    throw error;
  }
}

async function readManifests(): Promise<KubernetesObject[]> {
  const files = (await readdir(manifests, { recursive: true })).filter((file) => file.endsWith('.yaml')).sort();
  const texts = await Promise.all(files.map((file) => readFile(join(manifests, file), 'utf8')));
  const objects = texts.flatMap((text) => loadAllYaml(text) as KubernetesObject[]);
  return objects.sort((one, other) => turnOf(one) - turnOf(other));
}

/**
 * Policies come after the roles that they check. The server activates those of a kind in the order of their creation:
 * once the last one is active, so are the others.
 */
function turnOf({ kind = '', metadata }: KubernetesObject): number {
  if (kind === 'Namespace') return 0;
  if (!kind.includes('AdmissionPolicy')) return 1;
  return [probedPolicy, probedMutatingPolicy].includes(metadata?.name ?? '') ? 3 : 2;
}

/**
 * The server activates policies some seconds after they are applied, without a notification: so their effect is probed.
 */
export async function untilAdmissionActive(kubeconfigPath: string, progress: Progress = () => {}): Promise<void> {
  const config = load(kubeconfigPath);
  const refuses = async () => (await tryClaim(config, 'malformed')) === undefined;
  if (!(await comesTrue(refuses, activeWithinMs))) {
    throw new Error(`${probedPolicy} is not active after ${activeWithinMs / 1000} s`);
  }
  const lacking = await lackingKinds(config);
  if (mutatingKinds.some((kind) => lacking.includes(kind))) return;
  // A cluster may serve the kind with the feature turned off. Then claims must be written as the refusal says.
  const isActive = await comesTrue(() => isHeld(config), alsoActiveWithinMs);
  if (!isActive) progress('The cluster does not apply MutatingAdmissionPolicy');
}

/**
 * Whether claims are changed as they are created: by the mutating policies, or by the webhook in their place. Where they
 * are not, their users write what the refusals say.
 */
export function changesClaims(kubeconfigPath: string): Promise<boolean> {
  return isHeld(load(kubeconfigPath));
}

async function isHeld(config: KubeConfig): Promise<boolean> {
  return (await tryClaim(config, `${systemNamespace}/probe`))?.spec?.dataSourceRef !== undefined;
}

/**
 * A claim with this annotation as the server would store it, or undefined if the policy refuses it. Nothing is created.
 */
async function tryClaim(config: KubeConfig, transferAccept: string): Promise<V1PersistentVolumeClaim | undefined> {
  const metadata = { generateName: 'probe-', annotations: { transferAccept } };
  const spec = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } };
  const body = { apiVersion: 'v1', kind: 'PersistentVolumeClaim', metadata, spec };
  const request = { namespace: systemNamespace, dryRun: 'All', body };
  try {
    return await config.makeApiClient(CoreV1Api).createNamespacedPersistentVolumeClaim(request);
  } catch (error) {
    if (error instanceof ApiException && error.message.includes(probedPolicy)) return undefined;
    throw error;
  }
}

async function comesTrue(condition: () => Promise<boolean>, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await pause(pollMs);
  }
  return true;
}

async function untilServed(client: KubernetesObjectApi, name: string): Promise<void> {
  for (;;) {
    const definition = (await client.read({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name },
    })) as KubernetesObject & { status?: { conditions?: { type: string; status: string }[] } };
    const served = definition.status?.conditions?.some(
      ({ type, status }) => type === 'Established' && status === 'True',
    );
    if (served) return;
  }
}

/** A kubeconfig for one function's own service account, with the rights of its role in manifests/rbac. */
export function functionKubeconfig(kubeconfigPath: string, functionName: string): Promise<string> {
  return serviceAccountKubeconfig(kubeconfigPath, { namespace: systemNamespace, name: functionName });
}

export async function serviceAccountKubeconfig(
  kubeconfigPath: string,
  account: { namespace: string; name: string },
): Promise<string> {
  const config = load(kubeconfigPath);
  const { status } = await config.makeApiClient(CoreV1Api).createNamespacedServiceAccountToken({
    ...account,
    body: {
      apiVersion: 'authentication.k8s.io/v1',
      kind: 'TokenRequest',
      spec: { audiences: [], expirationSeconds: tokenLifetimeSeconds },
    },
  });
  const cluster = config.getCurrentCluster();
  const certificateAuthority = Buffer.from(cluster?.caData ?? '', 'base64').toString('utf8');
  return kubeconfigOf({ server: cluster?.server ?? '', certificateAuthority, token: status?.token ?? '' });
}

function load(kubeconfigPath: string): KubeConfig {
  const config = PatientKubeConfig.fromFile(kubeconfigPath);
  return config;
}
