import type { LeaseRecord } from '../../../lib/forwarder/lease-record.ts';
import type { Answer } from '../../../lib/kubernetes/connection.ts';

/** As `Call` of the connection, with the method by which a Lease is replaced. */
export interface LeaseCall {
  method: string;
  path: string;
  body?: object;
}

const collection = '/apis/coordination.k8s.io/v1/namespaces/longshore-system/leases';

/** An API server that keeps one Lease, and is as exact about its versions as a real one. */
export class LeaseServer {
  stored: LeaseRecord | undefined;
  /** Called with each record that is written, and the one that it replaces. */
  onWritten: (record: LeaseRecord, before: LeaseRecord | undefined) => void = () => {};
  private version = 100;

  handle({ method, path, body }: LeaseCall): Answer {
    const { stored } = this;
    if (method === 'POST' && path === collection) {
      return stored ? failure(409, 'AlreadyExists') : this.write(body as LeaseRecord);
    }
    if (path !== `${collection}/forwarder`) return failure(404, 'NotFound');
    if (method === 'GET') return stored ? { status: 200, body: JSON.stringify(stored) } : failure(404, 'NotFound');
    if (method !== 'PUT') return failure(405, 'MethodNotAllowed');
    return this.replace(body as LeaseRecord);
  }

  private replace(record: LeaseRecord): Answer {
    const { stored } = this;
    const { uid, resourceVersion } = record.metadata;
    if (resourceVersion === undefined) return failure(422, 'Invalid');
    if (stored?.metadata.uid !== uid || stored?.metadata.resourceVersion !== resourceVersion) {
      return failure(409, 'Conflict');
    }
    // What changes nothing is not written, and keeps its version.
    if (JSON.stringify(stored) === JSON.stringify(record)) return { status: 200, body: JSON.stringify(stored) };
    return this.write(record);
  }

  private write(record: LeaseRecord): Answer {
    this.version += 1;
    const uid = record.metadata.uid ?? `uid-${this.version}`;
    const before = this.stored;
    const metadata = { ...record.metadata, uid, resourceVersion: String(this.version) };
    this.stored = { ...record, metadata };
    this.onWritten(this.stored, before);
    return { status: 200, body: JSON.stringify(this.stored) };
  }
}

export function failure(code: number, reason: string, message = reason): Answer {
  return { status: code, body: JSON.stringify({ kind: 'Status', code, reason, message }) };
}
