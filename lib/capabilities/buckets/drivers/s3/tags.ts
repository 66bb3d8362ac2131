import type { Parameters, Requester } from '../driver.ts';
import { maxTagLength, toTagValue } from '../tag-value.ts';
import { fail } from './errors.ts';

export interface Tag {
  Key: string;
  Value: string;
}

const prefix = 'longshore.dev/';
export const ownerKey = `${prefix}owner`;
export const clusterKey = `${prefix}cluster`;
export const deploymentKey = `${prefix}deployment`;

interface Tagged {
  owner: string;
  cluster: string;
  requester: Requester;
  parameters: Parameters;
}

/** The owner, for ourselves; the requester, for people; and the tags of the class. */
export function tagsFor({ owner, cluster, requester, parameters }: Tagged, identity?: string): Tag[] {
  const own = {
    [ownerKey]: owner,
    [clusterKey]: cluster,
    ...(identity ? { [deploymentKey]: identity } : {}),
    [`${prefix}namespace`]: requester.namespace,
    [`${prefix}name`]: requester.name,
  };
  const added = parseTags(parameters.tags ?? '').map(([key = '', value = '']) => [key, value]);
  return [...Object.entries(own), ...added].map(([Key = '', Value = '']) => ({ Key, Value: toTagValue(Value) }));
}

/** As the clients return them. */
export interface FoundTag {
  Key?: string | undefined;
  Value?: string | undefined;
}

export function ownerIn(tags: FoundTag[]): string | undefined {
  return tagNamed(tags, ownerKey);
}

/** True if a tag is longer than tags can be: then the store has invented it. */
export function areTooLong(tags: FoundTag[]): boolean {
  return [ownerIn(tags), tagNamed(tags, clusterKey)].some((value) => (value?.length ?? 0) > maxTagLength);
}

/** The cluster's real name, if it is a known one: a tag cannot hold every name unchanged. */
export function clusterIn(tags: FoundTag[], known: readonly string[] = []): string | undefined {
  const found = tagNamed(tags, clusterKey);
  return known.find((each) => toTagValue(each) === found) ?? found;
}

/** Several deployments may share an account. A resource without the tag may belong to any of them. */
export function belongsToAnotherDeployment(tags: FoundTag[], identity: string | undefined): boolean {
  return otherDeploymentIn(tags, identity) !== undefined;
}

/** The deployment in a tag, if it is another one. */
export function otherDeploymentIn(tags: FoundTag[], identity: string | undefined): string | undefined {
  const found = tagNamed(tags, deploymentKey);
  return found === toTagValue(identity ?? '') ? undefined : found;
}

/** The acting deployment and cluster: deployments that share an account may give their clusters the same name. */
export interface Actor {
  cluster: string;
  /** The deployment's name; undefined in tests of a driver alone. */
  identity: string | undefined;
}

/** Refuses a resource that another cluster or deployment has marked as its own. */
export function refuseOthers(what: string, tags: FoundTag[], { cluster, identity }: Actor): void {
  refuseOtherCluster(what, tags, cluster);
  const found = otherDeploymentIn(tags, identity);
  if (found === undefined) return;
  const said = `${what} belongs to the deployment ${found} by its tag ${deploymentKey}, and this is ${identity}`;
  throw fail('taken', `${said}: it was left unchanged. If it has been handed over to this deployment, change the tag`);
}

/**
 * The marks that a resource of ours lacks, as they should be. It is older than these tags, or someone has removed them
 * to share it: the two look alike, and only one of them may be emptied.
 */
export function missingTagKeys(tags: FoundTag[], { cluster, identity }: Actor): string[] {
  const wanted = { [clusterKey]: cluster, ...(identity ? { [deploymentKey]: identity } : {}) };
  const missing = Object.entries(wanted).filter(([key]) => tagNamed(tags, key) === undefined);
  return missing.map(([key, value]) => `${key}=${toTagValue(value)}`);
}

export function isMarkedAsMade(tags: FoundTag[]): boolean {
  return ownerIn(tags) !== undefined && tagNamed(tags, clusterKey) !== undefined;
}

function tagNamed(tags: FoundTag[], key: string): string | undefined {
  return tags.find(({ Key }) => Key === key)?.Value;
}

/** A copy of a cluster has the same owners under another name, and finds the resources of the first one. */
function refuseOtherCluster(what: string, tags: FoundTag[], cluster: string): void {
  const found = otherClusterIn(tags, cluster);
  if (found === undefined) return;
  const said = `${what} belongs to the cluster ${found} by its tag ${clusterKey}, and this is the cluster ${cluster}`;
  const copied = `If this cluster is a copy of ${found}, remove the finalizer from its BucketContents and delete them`;
  throw fail(
    'taken',
    `${said}: it was left unchanged. ${copied}. If ${found} is called ${cluster} now, change the tag`,
  );
}

/** The cluster in a tag, if it is another one. */
export function otherClusterIn(tags: FoundTag[], cluster: string): string | undefined {
  const found = clusterIn(tags);
  return found === toTagValue(cluster) ? undefined : found;
}

function parseTags(text: string): string[][] {
  return text === '' ? [] : text.split(',').map((each) => each.split('='));
}

/** The stores allow fifty in total. */
const maxTags = 40;

export function tagsProblem(text: string): string | undefined {
  const tags = parseTags(text);
  const example = 'write it as "team=storage,stage=test"';
  const malformed = tags.find(([key = '', value, ...rest]) => key === '' || value === undefined || rest.length > 0);
  if (malformed) return `has ${JSON.stringify(malformed.join('='))}, which is not a tag: ${example}`;
  const keys = tags.map(([key = '']) => key);
  const illegal = tags.flat().find((each) => toTagValue(each) !== each) ?? keys.find((key) => key.length > 128);
  if (illegal !== undefined) return `has ${JSON.stringify(illegal)}, which tags cannot contain: leave it out`;
  const reserved = keys.find((key) => key.startsWith(prefix) || /^aws:/i.test(key));
  if (reserved !== undefined) return `has ${JSON.stringify(reserved)}, which is reserved: choose another key`;
  if (new Set(keys.map((key) => key.toLowerCase())).size < keys.length) return 'has the same key twice: leave one out';
  return tags.length > maxTags ? `has more than ${maxTags} tags: leave some out` : undefined;
}
