import type { Claim } from '../../kubernetes/objects.ts';
import { groupOf, resources } from '../../kubernetes/resources.ts';

/**
 * The source of a claim's data.
 *
 * link         a VolumeSnapshotLink in its own namespace: populated by Longshore
 * reference    a snapshot in a namespace of the standard field, kept by the admission policy: populated by Longshore
 * snapshot     a snapshot in its own namespace: populated by its provisioner
 * claim        a claim in its own namespace, to be cloned: populated by its provisioner
 * foreign      a namespace is still named, as the API server's feature gate is on: populated by a provisioner with it
 * transfer     the volume of another claim, which is transferred to it
 * other        any other kind: populated by the populator that has registered for it
 * dropped      the API server has silently dropped a reference with a namespace
 */
export type SourceReference =
  | { type: 'link'; name: string }
  | { type: 'snapshot'; name: string }
  | { type: 'claim'; name: string }
  | { type: 'transfer'; name: string }
  | { type: 'reference'; namespace: string; name: string }
  | { type: 'foreign'; namespace: string; group: string; kind: string; name: string }
  | { type: 'other'; group: string; kind: string; name: string }
  | { type: 'dropped' };

/** Longshore's own kind of reference, whose name is `<namespace>.<name>`: the name of a namespace has no dot. */
export const ownGroup = 'longshore.dev';
export const referenceKind = 'VolumeSnapshotReference';
const transferKind = 'Transfer';

const snapshotGroup = groupOf(resources.snapshot);

/** Undefined for a claim that asks for no data. */
export function sourceOf(claim: Claim): SourceReference | undefined {
  const { dataSource, dataSourceRef } = claim.spec;
  const written = dataSourceRef ?? dataSource;
  const { kind = '', name = '' } = written ?? {};
  const group = written?.apiGroup ?? '';
  const namespace = dataSourceRef?.namespace;
  if (group === snapshotGroup && kind === resources.snapshotLink.kind && !namespace) return { type: 'link', name };
  // A claim's owner can write who wrote its fields: the fields themselves count for more.
  if (isDropped(claim)) return { type: 'dropped' };
  if (!written) return undefined;
  if (namespace) return { type: 'foreign', namespace, group, kind, name };
  if (group === ownGroup && kind === referenceKind) return referenceNamed(name);
  if (group === ownGroup && kind === transferKind) return { type: 'transfer', name };
  const type = typeOfKind(group, kind);
  return type ? { type, name } : { type: 'other', group, kind, name };
}

/**
 * A source that a provisioner restores or clones. With a namespace, only a provisioner can whose own feature gate for
 * it is on.
 */
export interface Provisioned {
  type: 'snapshot' | 'claim';
  name: string;
  namespace?: string;
}

/** A source of any other kind, for which a populator may have registered, whatever its namespace. */
export type Populating = Extract<SourceReference, { type: 'foreign' | 'other' }>;

/** The component that fills the volume. */
export type Work = { by: 'provisioner'; source: Provisioned } | { by: 'populator'; source: Populating };

export function workOf(source: Extract<SourceReference, { type: 'snapshot' | 'claim' | 'foreign' | 'other' }>): Work {
  if (source.type === 'snapshot' || source.type === 'claim') return { by: 'provisioner', source };
  const { group, kind, name } = source;
  const type = typeOfKind(group, kind);
  if (source.type === 'other' || !type) return { by: 'populator', source };
  return { by: 'provisioner', source: { type, name, namespace: source.namespace } };
}

/** The kinds that every provisioner with snapshots and clones supports. */
function typeOfKind(group: string, kind: string): Provisioned['type'] | undefined {
  if (group === snapshotGroup && kind === resources.snapshot.kind) return 'snapshot';
  return group === '' && kind === resources.claim.kind ? 'claim' : undefined;
}

/** True if it is for the step `populate-claim`. */
export function isOurs(source: SourceReference | undefined): boolean {
  return source?.type === 'link' || source?.type === 'reference';
}

/** A name without a dot is a reference that cannot be resolved. */
function referenceNamed(text: string): SourceReference {
  const dot = text.indexOf('.');
  return { type: 'reference', namespace: text.slice(0, Math.max(0, dot)), name: text.slice(dot + 1) };
}

/**
 * A reference that was written and is missing. The API server drops a whole reference whose namespace it does not know,
 * even if a dataSource takes its place, and a dataSource of any kind that belongs in dataSourceRef.
 */
function isDropped({ metadata, spec: { dataSource, dataSourceRef } }: Claim): boolean {
  const { managedFields } = metadata;
  if (!managedFields) return false;
  const wrote = managedFields.map(
    ({ fieldsV1 }) => (fieldsV1?.['f:spec'] ?? {}) as Record<string, Record<string, unknown> | undefined>,
  );
  const named = wrote.some((fields) => fields['f:dataSourceRef']?.['f:namespace'] !== undefined);
  if (named && dataSourceRef?.apiGroup !== ownGroup && dataSourceRef?.namespace === undefined) return true;
  return !dataSource && !dataSourceRef && wrote.some((fields) => fields['f:dataSource'] !== undefined);
}
