import type { AnyObject } from './installable.ts';
import { isOurs } from './labels.ts';

/** On the namespace if it was there before anything was installed: uninstalling leaves it. */
const adoptedAnnotation = 'longshore.dev/adopted';

export function isAdopted({ metadata }: AnyObject): boolean {
  return metadata.annotations?.[adoptedAnnotation] !== undefined;
}

/** Another installation finds our labels on it, so it has to be remembered. */
export function withAdoption(object: AnyObject, present: AnyObject | undefined): AnyObject {
  if (object.kind !== 'Namespace' || !present || (isOurs(present) && !isAdopted(present))) return object;
  const annotations = { ...object.metadata.annotations, [adoptedAnnotation]: 'true' };
  return { ...object, metadata: { ...object.metadata, annotations } };
}
