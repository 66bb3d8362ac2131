import type { Volume } from '../../kubernetes/objects.ts';

/**
 * The label by which administrators find the volumes that need a decision, and by which these are counted: the claim of
 * such a volume has been deleted, and stays for it, or is gone.
 */
export const keptLabel = 'longshore.dev/kept';
type Kept = 'by-deleted-claim' | 'without-claim';

export function markKept(kept: Kept) {
  return { metadata: { labels: { [keptLabel]: kept } } };
}

export function isMarkedKept({ metadata }: Volume, kept?: Kept): boolean {
  const found = metadata.labels?.[keptLabel];
  return kept ? found === kept : found !== undefined;
}

/** A patch that also removes the label, if it is set. */
export function withoutMark<Body extends { metadata: object }>(volume: Volume, body: Body): Body {
  if (!isMarkedKept(volume)) return body;
  return { ...body, metadata: { ...body.metadata, labels: { [keptLabel]: null } } };
}

/** A patch that also sets the label. */
export function withMark<Body extends { metadata: object }>(kept: Kept, body: Body): Body {
  return { ...body, metadata: { ...body.metadata, ...markKept(kept).metadata } };
}
