import type { Volume } from '../../kubernetes/objects.ts';

/**
 * By this label administrators find the volumes that wait for somebody to decide, and it is what is counted of them: the
 * claim of such a volume has been deleted, and stays for it, or is gone.
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

/** A patch that takes the label off as well, where it is on. */
export function withoutMark<Body extends { metadata: object }>(volume: Volume, body: Body): Body {
  if (!isMarkedKept(volume)) return body;
  return { ...body, metadata: { ...body.metadata, labels: { [keptLabel]: null } } };
}

/** A patch that puts the label on as well. */
export function withMark<Body extends { metadata: object }>(kept: Kept, body: Body): Body {
  return { ...body, metadata: { ...body.metadata, ...markKept(kept).metadata } };
}
