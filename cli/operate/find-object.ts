import { collectionPath, displayName, type ObjectName, objectPath } from '../../lib/kubernetes/resources.ts';
import { redacted } from '../../lib/runtime/redaction.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { attempt } from '../objects/refusals.ts';
import { printable } from '../terminal/printable.ts';
import { suggestions } from './suggest.ts';
import { targetText } from './target.ts';

const maxListed = 8;

/** The object, or an error that says which others may be meant. */
export async function findObject(api: ClusterApi, name: ObjectName): Promise<AnyObject> {
  const { resource, namespace } = name;
  const object = await attempt({ verb: 'get', resource, namespace }, () => api.get(objectPath(name)));
  if (object) return object;
  throw new Error(redacted(await notFound(api, name)));
}

async function notFound(api: ClusterApi, name: ObjectName): Promise<string> {
  const { resource, namespace } = name;
  const where = resource.namespaced ? ` in the namespace ${namespace}` : '';
  const problem = `there is no ${targetText(name)}${where}`;
  const objects = await api.list(collectionPath(resource, namespace)).catch(() => []);
  if (objects === undefined)
    return `${problem}: the cluster does not serve ${resource.plural}. Check the context, and then: longshore check`;
  const names = objects.map(({ metadata }) => printable(metadata.name));
  const meant = suggestions(name.name, names);
  if (meant.length > 0) return `${problem}: did you mean ${meant.join(' or ')}?`;
  const elsewhere = resource.namespaced ? await sameElsewhere(api, name) : [];
  if (elsewhere.length > 0) return `${problem}: did you mean the one in ${elsewhere.join(' or ')} (-n)?`;
  if (names.length === 0)
    return `${problem}, and no other ${resource.kind}${where}: check the namespace (-n) and the context`;
  const listed = names.slice(0, maxListed).join(', ');
  return `${problem}; there ${names.length === 1 ? 'is' : 'are'} ${listed}${names.length > maxListed ? ' …' : ''}`;
}

/** Not everybody may look everywhere. */
async function sameElsewhere(api: ClusterApi, { resource, name }: ObjectName): Promise<string[]> {
  const query = { fieldSelector: `metadata.name=${name}` };
  const found = await api.list(collectionPath(resource), query).catch(() => []);
  return (found ?? []).slice(0, maxListed).map(({ metadata }) => printable(metadata.namespace ?? ''));
}

export function nameForPeople(name: ObjectName): string {
  return `${name.resource.kind} ${displayName(name)}`;
}
