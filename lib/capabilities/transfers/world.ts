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

/** What a transfer writes, or asks the server to validate. */
export type Slot = 'request' | 'approval' | 'source' | 'target' | 'volume' | 'trial';

/** Everything that a transfer concerns, as it was read. */
export interface TransferWorld extends World<Slot, TransferReason> {
  readonly request?: TransferRequest | undefined;
  readonly approval?: TransferApproval | undefined;
  /** The grants of the source's namespace, where no approval makes them needless. */
  readonly grants?: readonly ReferenceGrant[] | undefined;
  /** The namespaces that both sides name, as they are now: either may be another one than was meant. */
  readonly sourceNamespace?: Namespace | undefined;
  readonly targetNamespace?: Namespace | undefined;
  readonly settings?: Settings | undefined;
  readonly source?: Claim | undefined;
  readonly target?: Claim | undefined;
  /** What the server said that it would make of the target. */
  readonly trial?: Claim | undefined;
  /** The target that was there before the request was seen: it is in the request's own namespace. */
  readonly targetUid?: Uid | undefined;
  /** Where the target was looked for, when that can change. */
  readonly destination?: Place | undefined;
  readonly volume?: Volume | undefined;
  /** Pods that name the source claim, in the sense in which the cluster protects a claim from being deleted under them. */
  readonly pods: Pod[];
  /** Pods were read as they were a moment ago, which is no reason to move a volume. */
  readonly arePodsRecent?: boolean | undefined;
  /** It is decided upon by the request's key, which writes no status of claims. */
  readonly isOfRequest?: boolean | undefined;
  readonly readAt: Date;
}
