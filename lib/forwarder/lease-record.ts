import type { ClusterObject } from '../kubernetes/objects.ts';

/** The Lease as stored. Fields of others stay. */
export interface LeaseRecord extends ClusterObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** The writer of a record, the time by its own clock, and what it says beside. */
export interface Writer extends LeaseNotes {
  holder: string;
  /** What the deployment calls the cluster that this Lease is in. */
  cluster: string;
  durationSeconds: number;
  now: Date;
}

/** What a holder writes on its lease for operators; undefined for one that writes nothing. */
export interface LeaseNotes {
  /** What it does and what fails, for `longshore status`. */
  status?: string | undefined;
  /** True if it takes requests: then they are removed with the next write. */
  takesRequests?: boolean;
}

export const statusAnnotation = 'longshore.dev/status';
/** Operators write here which objects are to be tried at once. */
export const requestsAnnotation = 'longshore.dev/retry';
const checkpointAnnotation = 'longshore.dev/checkpoint';
/**
 * By these two a command knows which of a deployment's clusters it has reached: what the deployment calls it, and the uid
 * of the very Lease that said so. In a copy of it, as a backup restores it to another cluster, the uid is another one.
 */
const clusterAnnotation = 'longshore.dev/cluster';
const leaseUidAnnotation = 'longshore.dev/lease-uid';
const endsAtAnnotation = 'longshore.dev/ends-at';
/**
 * Makes each renewal differ from the one before: an update that changes nothing keeps the resource version, and then
 * waiting processes would not see that the holder is alive. The time alone does not suffice, since a clock can be set
 * back.
 */
const renewalAnnotation = 'longshore.dev/renewal';

/** Empty if no one holds it. */
export function holderOf(record: LeaseRecord | undefined): string {
  return record?.spec?.holderIdentity ?? '';
}

export function checkpointTextOf(record: LeaseRecord | undefined): string | undefined {
  return record?.metadata.annotations?.[checkpointAnnotation];
}

/** What the deployment calls the cluster of this Lease; undefined if no forwarder of this or a later release renewed it. */
export function clusterOf({ metadata: { uid, annotations = {} } }: LeaseRecord): string | undefined {
  return uid !== undefined && annotations[leaseUidAnnotation] === uid ? annotations[clusterAnnotation] : undefined;
}

/** The time at which the holder plans to end, by its own clock. */
export function endsAtOf(record: LeaseRecord | undefined): Date | undefined {
  const time = Date.parse(record?.metadata.annotations?.[endsAtAnnotation] ?? '');
  return Number.isNaN(time) ? undefined : new Date(time);
}

/** The record when this holder has just taken it over. The checkpoint of the last holder stays. */
export function takenRecord(found: LeaseRecord, writer: Writer, endsAt: Date | undefined): LeaseRecord {
  const isNew = holderOf(found) !== writer.holder;
  const { [endsAtAnnotation]: _, ...annotations } = found.metadata.annotations ?? {};
  return renewed(
    {
      ...found,
      metadata: {
        ...found.metadata,
        annotations: { ...annotations, ...(endsAt ? { [endsAtAnnotation]: endsAt.toISOString() } : {}) },
      },
      spec: {
        ...found.spec,
        ...(isNew ? { acquireTime: microTime(writer.now), leaseTransitions: transitionsAfter(found) } : {}),
      },
    },
    writer,
  );
}

export function renewedRecord(held: LeaseRecord, writer: Writer, checkpoint: string): LeaseRecord {
  return renewed(withCheckpoint(held, checkpoint), writer);
}

/** Released, so that waiting processes need not first see it unchanged for its whole duration. */
export function freedRecord(held: LeaseRecord, writer: Writer, checkpoint: string): LeaseRecord {
  return renewed(withCheckpoint(held, checkpoint), { ...writer, holder: '' });
}

function withCheckpoint(record: LeaseRecord, checkpoint: string): LeaseRecord {
  const annotations = { ...record.metadata.annotations, [checkpointAnnotation]: checkpoint };
  return { ...record, metadata: { ...record.metadata, annotations } };
}

function renewed(record: LeaseRecord, { holder, cluster, durationSeconds, now, ...notes }: Writer): LeaseRecord {
  const renewal = Number(record.metadata.annotations?.[renewalAnnotation] ?? 0) + 1;
  // Others may have written something other than a number there; any number differs from that.
  const next = String(Number.isSafeInteger(renewal) ? renewal : 1);
  const { uid } = record.metadata;
  const annotations = {
    ...withNotes(record.metadata.annotations, notes),
    [renewalAnnotation]: next,
    [clusterAnnotation]: cluster,
    ...(uid === undefined ? {} : { [leaseUidAnnotation]: uid }),
  };
  return {
    ...record,
    metadata: { ...record.metadata, annotations },
    spec: {
      ...record.spec,
      holderIdentity: holder,
      leaseDurationSeconds: durationSeconds,
      renewTime: microTime(now),
    },
  };
}

/** Another holder's status says nothing of this one. */
function withNotes(annotations: Record<string, string> = {}, { status, takesRequests = false }: LeaseNotes) {
  const { [statusAnnotation]: _, [requestsAnnotation]: requests, ...others } = annotations;
  return {
    ...others,
    ...(requests === undefined || takesRequests ? {} : { [requestsAnnotation]: requests }),
    ...(status === undefined ? {} : { [statusAnnotation]: status }),
  };
}

/** The very first holder takes it over from no one. */
function transitionsAfter({ metadata, spec }: LeaseRecord): number {
  return metadata.resourceVersion === undefined ? 0 : (spec?.leaseTransitions ?? 0) + 1;
}

/** The server expects these times with six fractional digits, more than a Date has. */
function microTime(time: Date): string {
  return time.toISOString().replace('Z', '000Z');
}
