import * as v from 'valibot';
import { object, plainObject, string } from '../../../runtime/config-values.ts';
import { legalNamespace, legalObjectName } from './request-names.ts';

/** A class for one bucket is named `<class>-<bucket>`, which must be a legal name too. */
const maxModelLength = 189;

const patternsMessage = 'must be a JSON array of names, such as ["team-*"]';
const patterns = v.pipe(
  v.array(string('a name, or a pattern such as team-*'), patternsMessage),
  v.minLength(1, patternsMessage),
);
const account = v.exactOptional(string('a string of 12 digits', (text) => /^\d{12}$/.test(text)));

/** Allows requests of one source; the names are patterns. */
const request = object({
  // AWS services send no such events, and no one else can use their prefix.
  source: string('the source of events, such as team.billing', (name) => !name.startsWith('aws.')),
  account,
  clusters: patterns,
  namespaces: patterns,
  classes: patterns,
});

/** New buckets with matching names become Buckets of this class in this namespace, whoever created them. */
const adoption = object({
  account,
  buckets: patterns,
  cluster: string("a cluster's name"),
  namespace: string('the name of a namespace', (name) => legalNamespace.test(name)),
  bucketClass: string(
    `the name of a BucketClass, of at most ${maxModelLength} characters`,
    (name) => legalObjectName.test(name) && name.length <= maxModelLength,
  ),
});

/** The requests that an operator allows. Everything else is refused. */
export const permissions = v.pipe(
  plainObject,
  object({
    requests: v.optional(v.array(request, 'must be a JSON array'), []),
    adoptions: v.optional(v.array(adoption, 'must be a JSON array'), []),
  }),
);

export type Permissions = v.InferOutput<typeof permissions>;
export type RequestPermission = v.InferOutput<typeof request>;
export type Adoption = v.InferOutput<typeof adoption>;

export interface BucketRequests {
  permissions: Permissions;
  /** The queue for refused requests. */
  deadLettersUrl: string;
  /** The role of our own driver: buckets that it creates already have a Bucket. */
  driverRole: string | undefined;
}
