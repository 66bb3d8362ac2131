import { offerAnnotation } from './claim-marks.ts';

/** Tells the owner of a deleted claim how to get the volume back. Until then a quota counts both claims. */
export function howToTakeBack(namespace: string): string {
  return `To get the volume back, offer it to a claim with another name in this namespace (annotation ${offerAnnotation}: ${namespace}/<name>), and accept it there. Until that claim has the volume, a ResourceQuota counts both. If the quota has no room for another claim of this size, ask its administrator to raise it`;
}
