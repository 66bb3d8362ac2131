import { quoted } from '../../../runtime/quoted.ts';
import { matchesAny } from '../patterns.ts';
import type { BucketEvent, BucketSpec, Creation, Request, Sender } from './event.ts';
import type { Adoption, BucketRequests, RequestPermission } from './permissions.ts';
import { Refusal } from './refusal.ts';
import { legalObjectName, secretNameFor } from './request-names.ts';

interface Place {
  cluster: string;
  namespace: string;
  name: string;
}

/** The change to make for an event that is allowed. */
export type RequestedChange = Place & { sender: Sender } & (
    | { action: 'create'; spec: BucketSpec }
    | { action: 'adopt'; bucket: string; bucketClass: string; secretName: string }
    | { action: 'delete' }
  );

export interface Nothing {
  action: 'none';
  reason: string;
}

export function requestedChangeOf(event: BucketEvent, settings: BucketRequests): RequestedChange | Nothing {
  if (event.action === 'none') return event;
  if (event.action === 'adopt') return adoptionOf(event, settings);
  checkAllowed(event, settings.permissions.requests);
  return event;
}

/** Throws if the request is not allowed, and says which part is not, if the sender has any permission. */
function checkAllowed(request: Request, permissions: readonly RequestPermission[]): void {
  const { source, account } = request.sender;
  const who = `source ${quoted(source)} of account ${quoted(account)}`;
  const isTheirs = (each: RequestPermission) => each.source === source && isFrom(each, account);
  const ofSender = permissions.filter(isTheirs);
  if (ofSender.length === 0) throw notAllowed(`${who} may not request anything`);
  const there = ofSender.filter(
    ({ clusters, namespaces }) => matchesAny(clusters, request.cluster) && matchesAny(namespaces, request.namespace),
  );
  if (there.length === 0) {
    const where = `namespace ${quoted(request.namespace)} of cluster ${quoted(request.cluster)}`;
    throw notAllowed(`${who} may not request anything in ${where}`);
  }
  // A sender that may create Buckets in a namespace may delete its own there, of any class.
  if (request.action === 'delete') return;
  const { bucketClassName } = request.spec;
  if (there.some(({ classes }) => matchesAny(classes, bucketClassName))) return;
  throw notAllowed(`${who} may not request class ${quoted(bucketClassName)} there`);
}

function adoptionOf(
  { sender, bucket, role }: Creation,
  { permissions, driverRole }: BucketRequests,
): RequestedChange | Nothing {
  const isMeant = (each: Adoption) => isFrom(each, sender.account) && matchesAny(each.buckets, bucket);
  const adoption = permissions.adoptions.find(isMeant);
  if (!adoption) return { action: 'none', reason: 'no adoption rule matches a bucket of this name' };
  // A name proves nothing: anyone can create a bucket with a name that the driver would use.
  if (role !== undefined && role === driverRole)
    return { action: 'none', reason: 'the driver of this deployment created the bucket' };
  if (!legalObjectName.test(bucket)) {
    throw new Refusal('Malformed', `bucket ${quoted(bucket)} cannot be adopted: its name is not valid for a Bucket`);
  }
  const { cluster, namespace, bucketClass } = adoption;
  const secretName = secretNameFor(bucket);
  return { action: 'adopt', sender, cluster, namespace, name: bucket, bucket, bucketClass, secretName };
}

function isFrom(permission: { account?: string }, account: string): boolean {
  return permission.account === undefined || permission.account === account;
}

function notAllowed(what: string): Refusal {
  return new Refusal('NotAllowed', `${what}: allow it with the deployment's parameter bucket-requests`);
}
