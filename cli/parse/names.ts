import { kindNamed, namesOfKind } from '../../lib/kubernetes/kind-names.ts';
import type { Resource } from '../../lib/kubernetes/resource.ts';
import { isLegalName } from '../../lib/kubernetes/resources.ts';
import { UsageError } from './usage-error.ts';

const maxNamespaceLength = 63;

/** A name as the API server accepts it: anything else must not become part of a path, or of a line to copy. */
export function objectName(what: string, name: string): string {
  if (isLegalName(name)) return name;
  throw new UsageError(`${what} must be the name of an object, but is ${JSON.stringify(name)}`);
}

export function namespaceName(what: string, name: string): string {
  if (isLegalName(name) && !name.includes('.') && name.length <= maxNamespaceLength) return name;
  throw new UsageError(`${what} must be the name of a namespace, but is ${JSON.stringify(name)}`);
}

/** `db`, or `pvc/db` with any of the kind's names. */
export function nameOfKind(resource: Resource, text: string): string {
  const { kind, name = text } = partsOf(text);
  if (kind !== undefined && kindNamed(kind) !== resource) {
    const [known = ''] = namesOfKind(resource).slice(-1);
    throw new UsageError(`${JSON.stringify(text)} is no ${resource.kind}: write ${known}/<name>`);
  }
  return objectName(resource.kind, name);
}

/** The kind and the name of `streq/move`, as they were written. */
export function partsOf(text: string): { kind?: string; name?: string } {
  const at = text.indexOf('/');
  return at < 0 ? {} : { kind: text.slice(0, at), name: text.slice(at + 1) };
}
