import { resources } from '../../../lib/kubernetes/resources.ts';
import { type Content, type Snapshot, secretResource, type VolumeSnapshotClass } from '../kinds.ts';
import type { World } from './rule.ts';

/** The Secrets that a snapshot class names in its parameters, and if they exist. */

export interface Place {
  namespace: string;
  name: string;
}

type Purpose = 'snapshotter' | 'snapshotter-list';

/** Undefined if the class names none; throws if its name cannot be resolved. */
export function secretNamed(
  { parameters = {} }: VolumeSnapshotClass,
  purpose: Purpose,
  contentName: string,
  snapshot?: Pick<Snapshot, 'metadata'>,
): Place | undefined {
  const name = parameters[`csi.storage.k8s.io/${purpose}-secret-name`];
  const namespace = parameters[`csi.storage.k8s.io/${purpose}-secret-namespace`];
  if (name === undefined && namespace === undefined) return undefined;
  if (!name || !namespace) throw new Error(`only one of name and namespace of the ${purpose} secret is given`);
  const known: Record<string, string | undefined> = {
    'volumesnapshotcontent.name': contentName,
    'volumesnapshot.name': snapshot?.metadata.name,
    'volumesnapshot.namespace': snapshot?.metadata.namespace,
  };
  const { 'volumesnapshot.name': _, ...knownOfNamespace } = known;
  return { name: resolve(name, known), namespace: resolve(namespace, knownOfNamespace) };
}

function resolve(template: string, known: Record<string, string | undefined>): string {
  return template.replace(/\$\{([^}]*)\}/g, (_, key: string) => {
    const value = known[key];
    if (value === undefined) throw new Error(`${template} cannot be resolved: ${key} is not known here`);
    return value;
  });
}

export function isThere(world: World, { namespace, name }: Place): boolean {
  return world.get(secretResource, namespace, name) !== undefined;
}

/** The reason why the sidecar may not query a static content's status, or the Secret for it. */
export function listSecretOf(
  world: World,
  content: Content,
  classNamed: (name: string) => VolumeSnapshotClass | undefined,
): { refused: string } | { isGiven: boolean } {
  const { volumeSnapshotClassName: className } = content.spec;
  if (className === undefined) return { isGiven: false };
  const snapshotClass = classNamed(className);
  if (!snapshotClass) return { refused: `snapshot class ${className} is not there` };
  try {
    const secret = secretNamed(snapshotClass, 'snapshotter-list', content.metadata.name);
    if (!secret) return { isGiven: false };
    if (isThere(world, secret)) return { isGiven: true };
    return { refused: `${resources.secret.kind} ${secret.namespace}/${secret.name} is not there` };
  } catch (error) {
    return { refused: error instanceof Error ? error.message : String(error) };
  }
}
