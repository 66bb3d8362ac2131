import { createHash } from 'node:crypto';
import type { Uid } from '../../kubernetes/brands.ts';
import type { Bucket, BucketContent } from './objects.ts';

/** Every object for a Bucket is named after its uid: recreated after a crash, it has the same name. */

export const finalizer = 'cosi.io/finalizer';
export const provisionerLabel = 'cosi.io/provisioner';
/** On a Secret: the uid of the Bucket that it belongs to, in case its owner reference is lost. */
export const bucketAnnotation = 'longshore.dev/bucket';
export const systemNamespace = 'longshore-system';

/** `<class>-<suffix>`; the suffix is derived from the uid, which is as random and always the same. */
export function contentNameOf({ metadata, spec }: Bucket): string {
  return `${spec.bucketClassName.slice(0, 200).replace(/[^a-z0-9]+$/, '')}-${suffixOf(metadata.uid ?? '')}`;
}

/** The Secret for the driver's credentials, beyond the reach of the Bucket's namespace. */
export function sourceSecretNameOf({ metadata }: BucketContent): string {
  return `bucket-${suffixOf(metadata.uid ?? '')}`;
}

function suffixOf(uid: Uid): string {
  return createHash('sha256').update(uid).digest('hex').slice(0, 20);
}

/**
 * The bucket's name in the store: the legalized prefix, and the whole uid. A name that no one else can guess prevents
 * one tenant's bucket from being taken for another's.
 */
export function storeNameOf({ metadata, spec }: Bucket): string {
  return `${legalPrefix(spec.bucketPrefix ?? '')}${(metadata.uid ?? '').replaceAll('-', '').toLowerCase()}`;
}

const maxPrefixLength = 31;

/** Bucket names are lower case, and begin with a letter or digit. */
function legalPrefix(prefix: string): string {
  const legal = prefix
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replace(/^-+/, '');
  return legal.slice(0, maxPrefixLength);
}

/** Prefixes that S3 reserves. */
const reserved = ['xn--', 'sthree-', 'amzn-s3-demo-'];

export function prefixProblem(prefix = ''): string | undefined {
  const found = reserved.find((each) => legalPrefix(prefix).startsWith(each));
  if (found) return `bucketPrefix ${JSON.stringify(prefix)} begins with ${found}, which S3 reserves: choose another`;
  if (prefix !== '' && legalPrefix(prefix) === '') {
    return `bucketPrefix ${JSON.stringify(prefix)} has no letter or digit that a bucket name can contain: choose another`;
  }
  return undefined;
}

/** The driver's name as a label value; characters that a label cannot contain become hyphens, as specified. */
export function labelOf(provisioner: string): string {
  return provisioner
    .replaceAll(/[^A-Za-z0-9._-]/g, '-')
    .slice(0, 63)
    .replace(/^[^A-Za-z0-9]+/, '')
    .replace(/[^A-Za-z0-9]+$/, '');
}

/** Empty without a driver. */
export function labelsFor(provisioner: string | undefined): Record<string, string> {
  return provisioner ? { [provisionerLabel]: labelOf(provisioner) } : {};
}
