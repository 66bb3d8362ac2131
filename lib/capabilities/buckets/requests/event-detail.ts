import { quoted } from '../../../runtime/quoted.ts';
import { prefixProblem } from '../names.ts';
import type { Bucket } from '../objects.ts';
import { Refusal } from './refusal.ts';
import { legalNamespace, legalObjectName, secretNameFor } from './request-names.ts';

/** The detail of a request: the Bucket to create or to delete. */
export type BucketDetail = BucketPlace & ({ action: 'create'; spec: Bucket['spec'] } | { action: 'delete' });

interface BucketPlace {
  cluster: string;
  namespace: string;
  name: string;
}

const placeFields = ['action', 'cluster', 'namespace', 'name'];
const fieldsOfAction = {
  create: [...placeFields, 'bucketClassName', 'bucketPrefix', 'secretName'],
  delete: placeFields,
};
const maxPrefixLength = 31;

/** Unknown fields are refused: a misspelt field would otherwise be silently ignored. */
export function parseDetail(detail: Record<string, unknown>): BucketDetail {
  const { action } = detail;
  if (action !== 'create' && action !== 'delete') {
    throw malformed(`detail.action is ${quoted(action)}: it must be "create" or "delete"`);
  }
  const known = fieldsOfAction[action];
  const unknown = Object.keys(detail).find((field) => !known.includes(field));
  if (unknown !== undefined) {
    throw malformed(`detail.${quoted(unknown)} is unknown: the detail of a ${action} may have ${known.join(', ')}`);
  }
  const place = {
    cluster: clusterIn(detail.cluster),
    namespace: name(detail, 'namespace', legalNamespace),
    name: name(detail, 'name'),
  };
  return action === 'delete' ? { action, ...place } : { action, ...place, spec: specIn(detail, place.name) };
}

function specIn(detail: Record<string, unknown>, bucketName: string): Bucket['spec'] {
  const bucketClassName = name(detail, 'bucketClassName');
  const secretName = detail.secretName === undefined ? secretNameOf(bucketName) : name(detail, 'secretName');
  return { bucketClassName, secretName, ...prefixIn(detail.bucketPrefix) };
}

function secretNameOf(bucketName: string): string {
  const secretName = secretNameFor(bucketName);
  if (legalObjectName.test(secretName)) return secretName;
  throw malformed('detail.name is too long for a Secret named after it: write detail.secretName as well');
}

function prefixIn(bucketPrefix: unknown): { bucketPrefix?: string } {
  if (bucketPrefix === undefined) return {};
  if (typeof bucketPrefix !== 'string' || bucketPrefix === '' || bucketPrefix.length > maxPrefixLength) {
    const wanted = `it must be a string of 1 to ${maxPrefixLength} characters, or be left out`;
    throw malformed(`detail.bucketPrefix is ${quoted(bucketPrefix)}: ${wanted}`);
  }
  const problem = prefixProblem(bucketPrefix);
  if (problem) throw malformed(`detail.${problem}`);
  return { bucketPrefix };
}

function clusterIn(cluster: unknown): string {
  if (typeof cluster === 'string' && cluster !== '') return cluster;
  throw malformed(`detail.cluster is ${quoted(cluster)}: it must be the name of a cluster that the deployment serves`);
}

function name(detail: Record<string, unknown>, field: string, legal = legalObjectName): string {
  const value = detail[field];
  if (typeof value === 'string' && legal.test(value)) return value;
  const wanted = legal === legalNamespace ? 'of at most 63 lower-case letters, digits and hyphens' : legalCharacters;
  throw malformed(`detail.${field} is ${quoted(value)}: it must be a name ${wanted}, such as "reports"`);
}

const legalCharacters = 'of at most 253 lower-case letters, digits, hyphens and dots';

function malformed(message: string): Refusal {
  return new Refusal('Malformed', message);
}
