import type { Uid } from '../../kubernetes/brands.ts';
import type {
  Claim,
  Namespace,
  Pod,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
  Volume,
} from '../../kubernetes/objects.ts';
import type { Place } from '../../kubernetes/places.ts';
import type { World } from '../../reconcile/step.ts';
import type { Settings } from '../settings.ts';
import type { TransferReason } from './reasons.ts';

/** The objects that a transfer writes, or asks the API server to validate. */
export type Slot = 'request' | 'approval' | 'source' | 'target' | 'volume' | 'trial';

/** Everything that was read for a transfer. */
export interface TransferWorld extends World<Slot, TransferReason> {
  readonly request?: TransferRequest | undefined;
  readonly approval?: TransferApproval | undefined;
  /** The grants of the source's namespace, unless an approval makes them unnecessary. */
  readonly grants?: readonly ReferenceGrant[] | undefined;
  /** The namespaces that both sides name, as they are now: either may be another one than was meant. */
  readonly sourceNamespace?: Namespace | undefined;
  readonly targetNamespace?: Namespace | undefined;
  readonly settings?: Settings | undefined;
  readonly source?: Claim | undefined;
  readonly target?: Claim | undefined;
  /** The target as the API server would create it. */
  readonly trial?: Claim | undefined;
  /** The target that existed before the request was read: it is in the request's own namespace. */
  readonly targetUid?: Uid | undefined;
  /** The place from which the target was read, if it can change. */
  readonly destination?: Place | undefined;
  readonly volume?: Volume | undefined;
  /** Pods that name the source claim, by the same rule as the cluster's protection of claims in use. */
  readonly pods: Pod[];
  /** Pods were read from the server's cache, which is not reliable enough to move a volume. */
  readonly arePodsRecent?: boolean | undefined;
  /** The request's key decides, which writes no status of claims. */
  readonly isOfRequest?: boolean | undefined;
  readonly readAt: Date;
}
