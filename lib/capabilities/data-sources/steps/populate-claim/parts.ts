import { resources } from '../../../../kubernetes/resources.ts';

/** The objects that this function writes to: each part of the world, and its kind. */

export const claimPart = { slot: 'claim', resource: resources.claim } as const;
export const primePart = { slot: 'prime', resource: resources.claim } as const;
export const volumePart = { slot: 'volume', resource: resources.volume } as const;
export const latePart = { slot: 'late', resource: resources.volume } as const;
export const snapshotPart = { slot: 'snapshotCopy', resource: resources.snapshot } as const;
export const contentPart = { slot: 'contentCopy', resource: resources.snapshotContent } as const;
