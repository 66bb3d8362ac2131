import type { Claim } from '../../kubernetes/objects.ts';
import { groupOf, resources } from '../../kubernetes/resources.ts';

/**
 * Where a claim's data is to come from.
 *
 * link         a VolumeSnapshotLink in its own namespace: ours to populate
 * reference    a snapshot in a namespace that was named in the standard field, as the admission policy has kept it: ours
 * snapshot     a snapshot in its own namespace: its provisioner's work
 * claim        a claim in its own namespace, which is to be cloned: its provisioner's work
 * foreign      a namespace is still named: the server's gate is on, and the work is that of a provisioner with the same gate
 * transfer     the volume of another claim, which is transferred to it
 * other        any other kind: the work of whoever has registered for it
 * dropped      the server has dropped a reference with a namespace, without a word
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

/** Our own kind of reference, whose name is `<namespace>.<name>`: a namespace has no dot in its name. */
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
  // Whoever owns a claim can write who wrote its fields: what is there counts for more.
  if (isDropped(claim)) return { type: 'dropped' };
  if (!written) return undefined;
  if (namespace) return { type: 'foreign', namespace, group, kind, name };
  if (group === ownGroup && kind === referenceKind) return referenceNamed(name);
  if (group === ownGroup && kind === transferKind) return { type: 'transfer', name };
  const type = typeOfKind(group, kind);
  return type ? { type, name } : { type: 'other', group, kind, name };
}

/** What a provisioner restores or clones. With a namespace only one can whose own gate for that is on, too. */
export interface Provisioned {
  type: 'snapshot' | 'claim';
  name: string;
  namespace?: string;
}

/** What is of any other kind, which somebody may have registered for, wherever the source stands. */
export type Populating = Extract<SourceReference, { type: 'foreign' | 'other' }>;

/** Whose work it is to fill the volume. */
export type Work = { by: 'provisioner'; source: Provisioned } | { by: 'populator'; source: Populating };

export function workOf(source: Extract<SourceReference, { type: 'snapshot' | 'claim' | 'foreign' | 'other' }>): Work {
  if (source.type === 'snapshot' || source.type === 'claim') return { by: 'provisioner', source };
  const { group, kind, name } = source;
  const type = typeOfKind(group, kind);
  if (source.type === 'other' || !type) return { by: 'populator', source };
  return { by: 'provisioner', source: { type, name, namespace: source.namespace } };
}

/** The kinds that every provisioner with snapshots and clones knows. */
function typeOfKind(group: string, kind: string): Provisioned['type'] | undefined {
  if (group === snapshotGroup && kind === resources.snapshot.kind) return 'snapshot';
  return group === '' && kind === resources.claim.kind ? 'claim' : undefined;
}

/** Whether it is for the step `populate-claim`. */
export function isOurs(source: SourceReference | undefined): boolean {
  return source?.type === 'link' || source?.type === 'reference';
}

/** A name without a dot names nothing: it is no reference that anybody could follow. */
function referenceNamed(text: string): SourceReference {
  const dot = text.indexOf('.');
  return { type: 'reference', namespace: text.slice(0, Math.max(0, dot)), name: text.slice(dot + 1) };
}

/**
 * What was written and is not there. The server leaves out a whole reference whose namespace it does not know, even where
 * a dataSource takes its place then, and a dataSource of any kind that belongs into dataSourceRef.
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
