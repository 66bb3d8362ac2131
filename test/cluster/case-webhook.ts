import type { ObjectMeta } from '../../lib/kubernetes/objects.ts';
import {
  claimWith,
  kept,
  linkSource,
  type SnapshotClaim,
  selector,
  snapshot,
  type writer,
} from './case-snapshot-claims.ts';

/** Claims that the policies change, that they leave alone, and that are refused, and what is done with each. */

type Writes = ReturnType<typeof writer>;
export interface Writers {
  /** Somebody who may do everything with claims, and nothing else. */
  user: Writes;
  administrator: Writes;
}

type Make = (spec: object, metadata?: Partial<ObjectMeta>) => SnapshotClaim;
export type Case = (writers: Writers, claim: Make) => Promise<unknown>;

const status = 'pvc.kubernetes.io/transfer-status';
const accepts = { annotations: { transferAccept: 'prod/data' } };
const held = { apiGroup: 'longshore.dev', kind: 'Transfer', name: 'accepted' };
const transferred = { matchLabels: { 'longshore.dev/volume': 'transferred' } };
const own = { matchLabels: { disk: 'fast' } };
const exists = { matchExpressions: [{ key: 'disk', operator: 'Exists' }] };
const complete = { annotations: { ...accepts.annotations, [status]: 'complete', team: 'a' } };
const moved = {
  annotations: { 'longshore.dev/transferred-by': 'a/b/c', 'longshore.dev/transferred-from': 'prod/data' },
};
const offers = { transferRequest: 'stage/data' };
const pending = { annotations: { ...offers, [status]: 'pending' } };
const fenced = { ...pending, finalizers: ['example.com/hold', 'longshore.dev/transfer-offer'] };
const other = { kind: 'PersistentVolumeClaim', name: 'other' };
const fromProd = { dataSourceRef: snapshot('prod') };

const created =
  (spec: object, metadata?: Partial<ObjectMeta>): Case =>
  ({ user }, claim) =>
    user.create(claim(spec, metadata));
const createdByAdministrator =
  (spec: object, metadata?: Partial<ObjectMeta>): Case =>
  ({ administrator }, claim) =>
    administrator.create(claim(spec, metadata));
const twice =
  (first: keyof Writes, then: keyof Writes, spec: object, metadata?: Partial<ObjectMeta>): Case =>
  async ({ user }, claim) => {
    const manifest = claim(spec, metadata);
    await user[first](manifest);
    return user[then](manifest);
  };

export const cases: Readonly<Record<string, Case>> = {
  'an ordinary claim': created({}),
  'an accepting claim': created({}, accepts),
  'an accepting claim with an empty selector': created({ selector: {} }, accepts),
  'an accepting claim with its own selector': created({ selector: own }, accepts),
  'an accepting claim with expressions': created({ selector: exists }, accepts),
  'an accepting claim that names its volume': created({ volumeName: 'volume' }, accepts),
  'an accepting claim with other data': created({ dataSource: other }, accepts),
  'an accepting claim with a reference to other data': created({ dataSourceRef: other }, accepts),
  'an accepting claim that is held': created({ dataSourceRef: held }, accepts),
  'an accepting claim with a reference to a snapshot': created(fromProd, accepts),
  'a malformed accepting claim': created({}, { annotations: { transferAccept: 'data' } }),
  'an accepting claim that is applied twice': twice('serverSideApply', 'serverSideApply', {}, accepts),
  'an annotation that comes later': async ({ user }, claim) => {
    await user.create(claim({}));
    return user.merge(claim({}, accepts));
  },
  'a claim from a backup': created({ dataSource: held, dataSourceRef: held, selector: transferred }, complete),
  'a claim from a backup by an administrator': createdByAdministrator({ dataSourceRef: held }, complete),
  'a claim from a backup with its own data': created({ dataSourceRef: other, selector: transferred }, complete),
  'a claim from a backup with more in its selector': created(
    { selector: { matchLabels: { ...transferred.matchLabels, disk: 'fast' } } },
    complete,
  ),
  'a claim that a request moved': created({}, moved),
  'a claim that a request moved, by one who may write marks': createdByAdministrator({}, moved),
  'a claim that a request moved, and that accepts': created(
    {},
    { annotations: { ...moved.annotations, ...accepts.annotations } },
  ),
  'a claim with a forged mark': created({}, { annotations: { [status]: 'other' } }),
  'an offered claim from a backup': created({}, pending),
  'an offered claim from a backup by an administrator': createdByAdministrator({}, fenced),
  'an offered claim from a backup with its fence': created({}, fenced),
  'a fenced claim from a backup that was transferred before': createdByAdministrator(
    { dataSourceRef: held, selector: transferred },
    { ...fenced, annotations: { ...complete.annotations, ...offers } },
  ),
  'a moved claim from a backup that was offered on': createdByAdministrator(
    {},
    { ...fenced, annotations: { ...moved.annotations, ...pending.annotations } },
  ),
  'an accepting claim from a backup': created(
    { dataSourceRef: held, selector: transferred },
    { annotations: { ...accepts.annotations, [status]: 'pending', 'longshore.dev/transfer-volume': 'volume' } },
  ),
  'a snapshot elsewhere': created(fromProd),
  'a snapshot elsewhere, with an empty selector': created({ ...fromProd, selector: { matchLabels: {} } }),
  'a snapshot elsewhere, with its own selector': created({ ...fromProd, selector: own }),
  'a snapshot elsewhere, with its volume': created({ ...fromProd, volumeName: 'volume' }),
  'a snapshot elsewhere, with two sources': created({ ...fromProd, dataSource: snapshot() }),
  'a snapshot here': created({ dataSourceRef: snapshot() }),
  'a snapshot here, with an empty namespace': created({ dataSourceRef: snapshot('') }),
  'a snapshot in a namespace that is none': created({ dataSourceRef: snapshot('Prod') }),
  'a claim of another namespace': created({ dataSourceRef: { ...other, namespace: 'prod' } }),
  'our own reference': created({ dataSourceRef: kept('prod') }),
  'our own reference with a namespace': created({ dataSourceRef: { ...kept('prod'), namespace: 'prod' } }),
  'our own reference that leads nowhere': created({ dataSourceRef: kept('Prod') }),
  'a link': created({ dataSourceRef: linkSource }),
  'a link in dataSource': created({ dataSource: linkSource }),
  'a link with expressions': created({ dataSourceRef: linkSource, selector: exists }),
  'a link with its volume': created({ dataSourceRef: linkSource, volumeName: 'volume' }),
  'a link with a namespace': created({ dataSourceRef: { ...linkSource, namespace: 'prod' } }),
  'a snapshot elsewhere, applied by the server': ({ user }, claim) => user.serverSideApply(claim(fromProd)),
  'a snapshot elsewhere, applied by the server twice': twice('serverSideApply', 'serverSideApply', fromProd),
  'a snapshot elsewhere, created and applied by the server': twice('create', 'serverSideApply', fromProd),
  'a snapshot elsewhere, applied by kubectl': twice('create', 'apply', fromProd),
  'a snapshot elsewhere, applied and then applied by kubectl': twice('serverSideApply', 'apply', fromProd),
  'a snapshot elsewhere, merged': twice('create', 'merge', fromProd),
  'a snapshot elsewhere, replaced': twice('create', 'replace', fromProd),
  'a link, replaced': twice('create', 'replace', { dataSourceRef: linkSource }),
  'a link that had its selector, replaced': twice('create', 'replace', { dataSourceRef: linkSource, selector }),
  'a snapshot elsewhere, applied by many': async ({ user }, claim) => {
    const manifest = claim(fromProd);
    for (const manager of ['first', 'second', 'first']) await user.serverSideApply(manifest, manager);
    return user.serverSideApply(manifest, 'third');
  },
  'another snapshot later': async ({ user }, claim) => {
    await user.create(claim(fromProd));
    return user.apply(claim({ dataSourceRef: snapshot('prod', 'other') }));
  },
};

/** A case's own claim, under the same name each time. */
export function maker(namespace: string, index: number): Make {
  return (spec, metadata = {}) => {
    const made = claimWith({ namespace, name: `claim-${index}` }, spec);
    return { ...made, metadata: { ...made.metadata, ...metadata } };
  };
}
