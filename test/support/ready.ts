import { bucketPart } from '../../lib/capabilities/buckets/bucket-status.ts';
import { contentPart } from '../../lib/capabilities/buckets/content-status.ts';
import type { Bucket, BucketContent } from '../../lib/capabilities/buckets/objects.ts';
import { updateDerived } from '../../lib/capabilities/transfers/by-request/status.ts';
import type { Condition, TransferApproval, TransferRequest } from '../../lib/kubernetes/objects.ts';
import { isDerivedType } from '../../lib/reconcile/ready.ts';
import { patchDerived } from '../../lib/reconcile/status.ts';

/** When what a test finds was reported. */
const reportedAt = new Date('2026-01-01T00:00:00Z');

/** An object as the steps leave it: what follows from its status is part of it. One without a status has none. */
export function reported<T extends TransferRequest | TransferApproval | Bucket | BucketContent>(object: T): T {
  if (!object.status) return object;
  const write = updateOf(object)?.write;
  if (write?.verb !== 'patch') return object;
  const { conditions } = (write.body as { status: { conditions?: Condition[] } }).status;
  return { ...object, status: { ...object.status, conditions } };
}

function updateOf(object: TransferRequest | TransferApproval | Bucket | BucketContent) {
  switch (object.kind) {
    case 'StorageTransferRequest':
      return updateDerived('request', object as TransferRequest, reportedAt);
    case 'StorageTransferApproval':
      return updateDerived('approval', object as TransferApproval, reportedAt);
    case 'Bucket':
      return patchDerived(bucketPart, object as Bucket, reportedAt);
    default:
      return patchDerived(contentPart, object as BucketContent, reportedAt);
  }
}

/** What the steps say themselves, for tests of that: what follows from it has tests of its own. */
export function ownConditions(conditions: readonly Condition[] = []): Condition[] {
  return conditions.filter(({ type }) => !isDerivedType(type));
}

/** The same of what is to be written. */
export function ownBody(body: object | undefined): object | undefined {
  const { status } = (body ?? {}) as { status?: { conditions?: Condition[] } };
  if (!status?.conditions) return body;
  const { conditions, ...rest } = status;
  const own = ownConditions(conditions);
  const { observedGeneration: _, ...alone } = rest as { observedGeneration?: number };
  return { ...body, status: own.length > 0 ? { ...rest, conditions: own } : alone };
}
