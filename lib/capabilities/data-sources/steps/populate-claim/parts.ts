import { resources } from '../../../../kubernetes/resources.ts';

/** What this function writes to: each part of the world, and its kind. */

export const claimPart = { slot: 'claim', resource: resources.claim };
export const primePart = { slot: 'prime', resource: resources.claim };
export const volumePart = { slot: 'volume', resource: resources.volume };
export const snapshotPart = { slot: 'snapshotCopy', resource: resources.snapshot };
export const contentPart = { slot: 'contentCopy', resource: resources.snapshotContent };
