import { offerAnnotation } from './claim-marks.ts';

/** What the owner of a deleted claim can do. The deleted one counts in a quota until then, and so does the one beside it. */
export function howToTakeBack(namespace: string): string {
  return `To get the volume back, offer it to a claim with another name in this namespace, which accepts it: ${offerAnnotation}: ${namespace}/<name>. Until that has it, a ResourceQuota counts both: if it has no room for another claim of this size, ask its administrator for that`;
}
