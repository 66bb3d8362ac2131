import type { Parameters, Requester } from '../driver.ts';
import { fail } from './errors.ts';

export interface Tag {
  Key: string;
  Value: string;
}

const prefix = 'longshore.dev/';
const ownerKey = `${prefix}owner`;
export const clusterKey = `${prefix}cluster`;
const deploymentKey = `${prefix}deployment`;

interface Tagged {
  owner: string;
  cluster: string;
  requester: Requester;
  parameters: Parameters;
}

/** Whose it is, for ourselves; who asked for it, for people; and what the class adds. */
export function tagsFor({ owner, cluster, requester, parameters }: Tagged, identity?: string): Tag[] {
  const own = {
    [ownerKey]: owner,
    [clusterKey]: cluster,
    ...(identity ? { [deploymentKey]: identity } : {}),
    [`${prefix}namespace`]: requester.namespace,
    [`${prefix}name`]: requester.name,
  };
  const added = parseTags(parameters.tags ?? '').map(([key = '', value = '']) => [key, value]);
  return [...Object.entries(own), ...added].map(([Key = '', Value = '']) => ({ Key, Value: legal(Value) }));
}

/** Both S3 and IAM take these characters and no others. */
function legal(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}\p{Z}_.:/=+\-@]/gu, '_').slice(0, 256);
}

/** As the clients read them. */
export interface FoundTag {
  Key?: string | undefined;
  Value?: string | undefined;
}

export function ownerIn(tags: FoundTag[]): string | undefined {
  return tags.find(({ Key }) => Key === ownerKey)?.Value;
}

/** By its own name, if it is one of those that are known: a tag cannot hold every name as it is. */
export function clusterIn(tags: FoundTag[], known: readonly string[] = []): string | undefined {
  const found = tags.find(({ Key }) => Key === clusterKey)?.Value;
  return known.find((each) => legal(each) === found) ?? found;
}

/** Several deployments may share an account. What says nothing was made before there was such a tag. */
export function isAnotherDeployments(tags: FoundTag[], identity: string | undefined): boolean {
  const found = tags.find(({ Key }) => Key === deploymentKey)?.Value;
  return found !== undefined && found !== legal(identity ?? '');
}

/**
 * A copy of a cluster has the same owners under another name, and what it finds here is the first one's. What has no such
 * tag was made before there was one, or has lost all of them.
 */
export function refuseOtherCluster(what: string, tags: FoundTag[], cluster: string): void {
  const found = otherClusterIn(tags, cluster);
  if (found === undefined) return;
  const said = `${what} belongs to the cluster ${found} by its tag ${clusterKey}, and this is the cluster ${cluster}`;
  const copied = `If this cluster is a copy of ${found}, take the finalizer off its BucketContents and delete them`;
  throw fail('taken', `${said}: it was left as it is. ${copied}. If ${found} is called ${cluster} now, change the tag`);
}

/** What a tag says of the cluster, where that is another one. */
export function otherClusterIn(tags: FoundTag[], cluster: string): string | undefined {
  const found = clusterIn(tags);
  return found === legal(cluster) ? undefined : found;
}

function parseTags(text: string): string[][] {
  return text === '' ? [] : text.split(',').map((each) => each.split('='));
}

/** The stores allow fifty in all. */
const mostTags = 40;

export function tagsProblem(text: string): string | undefined {
  const tags = parseTags(text);
  const example = 'write it as "team=storage,stage=test"';
  const malformed = tags.find(([key = '', value, ...rest]) => key === '' || value === undefined || rest.length > 0);
  if (malformed) return `has ${JSON.stringify(malformed.join('='))}, which is no tag: ${example}`;
  const keys = tags.map(([key = '']) => key);
  const illegal = tags.flat().find((each) => legal(each) !== each) ?? keys.find((key) => key.length > 128);
  if (illegal !== undefined) return `has ${JSON.stringify(illegal)}, which no tag may contain: leave it out`;
  const reserved = keys.find((key) => key.startsWith(prefix) || /^aws:/i.test(key));
  if (reserved !== undefined) return `has ${JSON.stringify(reserved)}, which is reserved: choose another key`;
  if (new Set(keys.map((key) => key.toLowerCase())).size < keys.length) return 'has a key twice: leave one out';
  return tags.length > mostTags ? `has more than ${mostTags} tags: leave some out` : undefined;
}
