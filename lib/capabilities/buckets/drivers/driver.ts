import type { ChangeTrace } from '../../../runtime/tracing.ts';

/**
 * What a driver is: the five calls of the bucket specification, for one kind of object store. A driver knows nothing of
 * Kubernetes. Each call is idempotent by the names that it is given: made again after a crash, or because its answer was
 * lost, it ends in the same state. At most one call for a bucket is under way at a time, until its deadline; a driver
 * starts nothing in the store after that.
 */
export interface Driver {
  info(): DriverInfo;
  /** What is wrong with a class's parameters, each in a sentence that says what to write instead; empty when all is well. */
  check(parameters: Parameters, flow: Flow): string[];
  /**
   * The parameters with all that they leave open, such as the region, put in as it is now. It is kept with the bucket, so
   * that what is made in one place is looked for there, whatever the deployment's own settings become.
   */
  settle(parameters: Parameters): Parameters;
  createBucket(request: CreateBucketRequest): Promise<CreateBucketOutcome>;
  /** Deletes a bucket of this owner with all that is in it, a part of it in each call. */
  deleteBucket(request: DeleteBucketRequest): Promise<DeleteBucketOutcome>;
  /** Makes sure that one consumer has access as the mode says, and that no other credentials of that consumer live. */
  grantBucketAccess(request: GrantAccessRequest): Promise<GrantAccessOutcome>;
  /** Leaves nothing of what `grantBucketAccess` made for this consumer. */
  revokeBucketAccess(request: RevokeAccessRequest): Promise<RevokeAccessOutcome>;
}

export interface DriverInfo {
  /** Unique in a cluster; what a class names as its provisioner. */
  name: string;
  protocols: readonly string[];
}

export type Parameters = Readonly<Record<string, string>>;

export type AccessMode = 'ro' | 'wo' | 'rw';

/** Whether the driver creates the bucket, or gives access to one that exists. */
export type Flow = 'Greenfield' | 'Brownfield';

interface Request {
  /** The bucket's name in the store. */
  bucket: string;
  /** Whom the bucket and the access are for: unique for all time, and the same in every call. */
  owner: string;
  /** The cluster that the owner is in: a copy of a cluster has the same owners, and must not take their buckets away. */
  cluster: string;
  /** The settled parameters of the class. */
  parameters: Parameters;
  /** The administrator's Secret that the parameters name, if they name one. */
  secrets: Parameters;
  /** After this moment, in milliseconds since 1970, the call starts nothing more. */
  deadline: number;
  /** The change that it is done for: what is asked of the store says that it is part of that. */
  change?: ChangeTrace;
}

/** Who asks, for tags and for trust; nothing is looked up by it. */
export interface Requester {
  namespace: string;
  name: string;
}

export interface CreateBucketRequest extends Request {
  requester: Requester;
  /** It was handed over before: its settings are whatever has been made of them since, and are not put right. */
  isHandedOver?: boolean;
}

export type DeleteBucketRequest = Request;

export interface GrantAccessRequest extends Request {
  requester: Requester;
  flow: Flow;
  mode: AccessMode;
  /** What the Secret holds by now; empty at first. Credentials that are not in it do not survive the call. */
  held: Parameters;
}

export type RevokeAccessRequest = Request;

/** Where a bucket is, as an application needs to know it. */
export interface BucketLocation {
  protocol: string;
  bucket: string;
  region: string;
  /** The whole address, such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
}

/**
 * Why a call has not done what it was to do. Nothing else is thrown but mistakes of the driver's own.
 *
 * invalid      the parameters or names will never do: another class is needed
 * taken        a bucket of that name belongs to somebody else, or is somewhere else
 * missing      the bucket that was to exist does not
 * denied       our own permissions do not suffice: the operator must change something
 * unavailable  the store did not answer, is busy, or has reached a limit: try again later
 */
export interface Failure {
  result: 'invalid' | 'taken' | 'missing' | 'denied' | 'unavailable';
  /** What is wrong and what to do about it, without any credentials in it. */
  message: string;
  /** The call has surely made or changed nothing: the store refused all of it, or was never reached. */
  hasChangedNothing?: boolean;
}

export type CreateBucketOutcome = { result: 'created' } | Failure;

export type GrantAccessOutcome =
  | {
      result: 'granted';
      location: BucketLocation;
      /**
       * The credentials in the form in which applications read them from their environment; undefined when those that are
       * held are right as they are.
       */
      credentials: Parameters | undefined;
    }
  | Failure;

export type RevokeAccessOutcome =
  | {
      result: 'revoked';
      /** Whether there was anything to take back, as far as the store knows by now. */
      found: boolean;
    }
  | Failure;

export type DeleteBucketOutcome =
  | { result: 'deleted' }
  /** Part of what was in it is gone; call again. */
  | { result: 'emptying'; removed: number }
  /** The bucket does not belong to this owner, and was left unchanged. */
  | { result: 'foreign'; message: string }
  /** The parameters forbid to delete a bucket that has something in it. */
  | { result: 'occupied'; message: string }
  | Failure;
