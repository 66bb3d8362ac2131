import type { Resource } from './resource.ts';
import { groupOf, resources } from './resources.ts';

/** Aliases accepted for each kind, as in kubectl. */
const shortNames: Record<keyof typeof resources, readonly string[]> = {
  claim: ['pvc'],
  volume: ['pv'],
  namespace: ['ns'],
  pod: ['po'],
  event: ['ev'],
  transferRequest: ['streq'],
  transferApproval: ['stappr'],
  referenceGrant: ['refgrant'],
  bucket: ['bkt'],
  bucketContent: ['bktc'],
  bucketClass: ['bktcl'],
  registration: ['cosireg'],
  secret: [],
  storageClass: ['sc'],
  snapshot: ['vs'],
  snapshotContent: ['vsc', 'vscs'],
  snapshotLink: ['vslink'],
  volumePopulator: [],
  configMap: ['cm'],
};

/** The names of one kind: its kind, its plural, the plural with its group, and aliases. */
export function namesOfKind(resource: Resource): string[] {
  const part = Object.entries(resources).find(([, each]) => each === resource)?.[0] as keyof typeof resources;
  const group = groupOf(resource);
  const withGroup = group ? [`${resource.plural}.${group}`] : [];
  return [resource.kind, resource.plural, ...withGroup, ...shortNames[part]];
}

/** The kind of this name, regardless of case. */
export function kindNamed(name: string): Resource | undefined {
  const wanted = name.toLowerCase();
  return Object.values(resources).find((resource) =>
    namesOfKind(resource).some((each) => each.toLowerCase() === wanted),
  );
}
