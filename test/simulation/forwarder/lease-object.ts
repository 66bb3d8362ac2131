import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import type { Answer } from '../../../lib/kubernetes/connection.ts';
import { failure, type LeaseCall } from '../../lib/forwarder/lease-server.ts';
import type { ClusterState } from './cluster-state.ts';

const collection = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases';

export function isLeasePath(path: string): boolean {
  return path.startsWith(collection);
}

/** The Lease, whose versions are of the same count as all others. */
export class LeaseObject {
  onWritten: (record: LeaseRecord, before: LeaseRecord | undefined) => void = () => {};
  private readonly state: ClusterState;

  constructor(state: ClusterState) {
    this.state = state;
  }

  get holder(): string {
    return this.state.lease?.spec?.holderIdentity ?? '';
  }

  handle({ method, body }: LeaseCall): Answer {
    const { lease } = this.state;
    if (method === 'GET') return lease ? { status: 200, body: JSON.stringify(lease) } : failure(404, 'NotFound');
    const record = body as LeaseRecord;
    if (method === 'POST') return lease ? failure(409, 'AlreadyExists') : this.write(record);
    const { uid, resourceVersion } = record.metadata;
    const isThatOne = lease?.metadata.uid === uid && lease?.metadata.resourceVersion === resourceVersion;
    if (!isThatOne) return failure(409, 'Conflict');
    if (JSON.stringify(lease) === JSON.stringify(record)) return { status: 200, body: JSON.stringify(lease) };
    return this.write(record);
  }

  private write(record: LeaseRecord): Answer {
    const before = this.state.lease;
    const resourceVersion = this.state.nextVersion();
    const uid = record.metadata.uid ?? `lease-${resourceVersion}`;
    const written = { ...record, metadata: { ...record.metadata, uid, resourceVersion } };
    this.state.lease = written;
    this.onWritten(written, before);
    return { status: 200, body: JSON.stringify(written) };
  }
}
