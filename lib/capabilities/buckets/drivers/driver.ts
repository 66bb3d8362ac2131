import type { ChangeTrace } from '../../../runtime/tracing.ts';

/**
 * A driver implements the five calls of the bucket specification for one kind of object store. It knows nothing of
 * Kubernetes. Each call is idempotent by its names: repeated after a crash, or because its answer was lost, it ends in the
 * same state. At most one call for a bucket is in progress at a time, until its deadline; a driver starts nothing in the
 * store after that.
 */
export interface Driver {
  info(): DriverInfo;
  /** The problems of a class's parameters, each as a sentence that says what to write instead; empty if there are none. */
  check(parameters: Parameters, flow: Flow): string[];
  /**
   * Fills in the present defaults for missing parameters, such as the region. The result is stored with the bucket, so that
   * it is found where it was created, however the deployment's own settings change.
   */
  settleParameters(parameters: Parameters): Parameters;
  createBucket(request: CreateBucketRequest): Promise<CreateBucketOutcome>;
  /** Deletes a bucket of this owner with its contents, part of them in each call. */
  deleteBucket(request: DeleteBucketRequest): Promise<DeleteBucketOutcome>;
  /** Ensures that one consumer has access according to the mode, and that it has no other credentials. */
  grantBucketAccess(request: GrantAccessRequest): Promise<GrantAccessOutcome>;
  /** Removes everything that `grantBucketAccess` created for this consumer. */
  revokeBucketAccess(request: RevokeAccessRequest): Promise<RevokeAccessOutcome>;
}

export interface DriverInfo {
  /** Unique in a cluster; the provisioner that a class names. */
  name: string;
  protocols: readonly string[];
}

export type Parameters = Readonly<Record<string, string>>;

export type AccessMode = 'ro' | 'wo' | 'rw';

/** Greenfield if the driver creates the bucket, Brownfield if it gives access to an existing one. */
export type Flow = 'Greenfield' | 'Brownfield';

interface Request {
  /** The bucket's name in the store. */
  bucket: string;
  /** The owner of the bucket and the access: globally unique, and the same in every call. */
  owner: string;
  /** The owner's cluster: a copy of a cluster has the same owners, and must not take their buckets. */
  cluster: string;
  /** The settled parameters of the class. */
  parameters: Parameters;
  /** The administrator's Secret that the parameters name, if they name one. */
  secrets: Parameters;
  /** After this time, in milliseconds since 1970, the call starts nothing more. */
  deadline: number;
  /** The trace of the change that caused the call, passed on to the store. */
  change?: ChangeTrace;
}

/** The requesting object, for tags and trust policies; never used for lookups. */
export interface Requester {
  namespace: string;
  name: string;
}

export interface CreateBucketRequest extends Request {
  requester: Requester;
  /** It was handed over before: its settings may have been changed since, and are not reset. */
  isHandedOver?: boolean;
}

export type DeleteBucketRequest = Request;

export interface GrantAccessRequest extends Request {
  requester: Requester;
  flow: Flow;
  mode: AccessMode;
  /** The present data of the Secret; empty at first. Credentials that are not in it do not survive the call. */
  held: Parameters;
}

export type RevokeAccessRequest = Request;

/** The location of a bucket, for applications. */
export interface BucketLocation {
  protocol: string;
  bucket: string;
  region: string;
  /** The full URL, such as https://s3.eu-central-1.amazonaws.com. */
  endpoint: string;
}

/**
 * The reason why a call failed. A driver throws only on its own bugs.
 *
 * invalid      the parameters or names can never work: another class is needed
 * taken        a bucket of that name belongs to someone else, or is elsewhere
 * missing      the bucket should exist, but does not
 * denied       our own permissions do not suffice: the operator must change something
 * unavailable  the store did not answer, is busy, or has reached a limit: try again later
 */
export interface Failure {
  result: 'invalid' | 'taken' | 'missing' | 'denied' | 'unavailable';
  /** The problem and its remedy, without any credentials. */
  message: string;
  /** The call has certainly changed nothing: the store refused all of it, or was never reached. */
  hasChangedNothing?: boolean;
}

export type CreateBucketOutcome = { result: 'created' } | Failure;

export type GrantAccessOutcome =
  | {
      result: 'granted';
      location: BucketLocation;
      /**
       * The credentials in the form in which applications read them from their environment; undefined if the held ones are
       * valid.
       */
      credentials: Parameters | undefined;
    }
  | Failure;

export type RevokeAccessOutcome =
  | {
      result: 'revoked';
      /** True if there was anything to revoke, as far as the store knows yet. */
      found: boolean;
    }
  | Failure;

export type DeleteBucketOutcome =
  | { result: 'deleted' }
  /** Part of its contents is deleted; call again. */
  | { result: 'emptying'; removed: number }
  /** The bucket does not belong to this owner, and was left unchanged. */
  | { result: 'foreign'; message: string }
  /** The parameters forbid deleting a bucket that is not empty. */
  | { result: 'occupied'; message: string }
  | Failure;
