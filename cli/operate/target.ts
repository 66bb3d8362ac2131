import { isLegalName, nameOf, type ObjectName } from '../../lib/kubernetes/resources.ts';
import { readKind } from '../kind.ts';
import { UsageError } from '../parse/usage-error.ts';

/** An object from `<kind>/<name>` or `<kind> <name>`, in this namespace if its kind has namespaces. */
export function readTarget(words: readonly string[], namespace: string): ObjectName {
  const [first = '', second, ...rest] = words;
  const parts = second === undefined ? first.split('/') : [first, ...second.split('/')];
  const [kind = '', name, ...others] = parts;
  if (name === undefined || rest.length > 0) {
    throw new UsageError('name one object as <kind>/<name>, such as bucket/photos');
  }
  const resource = readKind(kind);
  const [at, named] = others.length === 1 && resource.namespaced ? [name, others[0] ?? ''] : [namespace, name];
  const isRight = others.length <= (resource.namespaced ? 1 : 0) && isLegalName(named) && isLegalName(at);
  if (!isRight) throw new UsageError(`${JSON.stringify(parts.slice(1).join('/'))} is not a name of a ${resource.kind}`);
  return nameOf(resource, at, named);
}

/** As people write it, and other commands take it. */
export function targetText({ resource, name }: ObjectName): string {
  return `${shortKind(resource.kind)}/${name}`;
}

const short: Readonly<Record<string, string>> = {
  StorageTransferRequest: 'streq',
  StorageTransferApproval: 'stappr',
  PersistentVolumeClaim: 'pvc',
  PersistentVolume: 'pv',
};

export function shortKind(kind: string): string {
  return short[kind] ?? kind.toLowerCase();
}
