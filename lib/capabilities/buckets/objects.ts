import type { BucketClass, BucketContent } from './crds.ts';

/** The kinds of the bucket specification, cosi.io/v1alpha1, as they are on the wire. */

export type { Bucket, BucketClass, BucketContent, Registration } from './crds.ts';

export type SecretPlace = NonNullable<BucketClass['secretRef']>;

export type ContentPhase = NonNullable<NonNullable<BucketContent['status']>['phase']>;
