import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ServedObject } from '../fuzz/stand-in-api.ts';
import { GoodApi } from './good-api.ts';

const note = 'kept for as long as anybody wants to know how much a forwarder needs, and looked at by none';
/** Of so many claims one is offered, and leads to a message when it is listed. */
const offeredOneIn = 10;

/** An API server of a cluster with very many claims, which it lists in pages. */
export class CrowdedApi extends GoodApi {
  /** How often all of them were listed. */
  listed = 0;
  private readonly count: number;

  constructor(given: ReadonlyMap<string, ServedObject>, count: number) {
    super(given);
    this.count = count;
  }

  /** First everything that there is, then nothing changes. */
  protected override watch(path: string, outgoing: ServerResponse): boolean {
    outgoing.writeHead(200, { 'content-type': 'application/json' });
    const isOfClaims = path.endsWith('/api/v1/persistentvolumeclaims');
    const events = isOfClaims ? this.claimsThenEnd() : [initialEventsEnd];
    void pipeline(Readable.from(lines(events)), outgoing, { end: false }).catch(() => {});
    return true;
  }

  private *claimsThenEnd(): Iterable<object> {
    for (let index = 0; index < this.count; index += 1) yield { type: 'ADDED', object: claimOf(index) };
    this.listed += 1;
    yield initialEventsEnd;
  }

  protected override answer(...given: Parameters<GoodApi['answer']>): { status: number; answer: object } {
    const [method, path, , query] = given;
    if (method !== 'GET' || !path.endsWith('/api/v1/persistentvolumeclaims')) return super.answer(...given);
    const from = Number(query.get('continue') ?? 0);
    const to = Math.min(this.count, from + Number(query.get('limit') ?? this.count));
    const items = Array.from({ length: to - from }, (_, index) => claimOf(from + index));
    const more = to < this.count ? { continue: String(to) } : {};
    if (to === this.count) this.listed += 1;
    return { status: 200, answer: { metadata: { resourceVersion: version, ...more }, items } };
  }
}

const version = '900000';
const initialEventsEnd = {
  type: 'BOOKMARK',
  object: { metadata: { resourceVersion: version, annotations: { 'k8s.io/initial-events-end': 'true' } } },
};

function* lines(events: Iterable<object>): Iterable<string> {
  for (const event of events) yield `${JSON.stringify(event)}\n`;
}

/** About as large as one from a Helm chart. */
function claimOf(index: number): object {
  const name = `claim-${String(index).padStart(6, '0')}`;
  const managed = { apiVersion: 'v1', fieldsType: 'FieldsV1', operation: 'Update', time: '2026-01-01T00:00:00Z' };
  return {
    metadata: {
      name,
      namespace: `team-${index % 500}`,
      uid: `b6ae5840-1361-4040-bdb6-${String(index).padStart(12, '0')}`,
      resourceVersion: String(100_000 + index),
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: {
        'app.kubernetes.io/name': 'database',
        'app.kubernetes.io/instance': name,
        'helm.sh/chart': 'database-1.2.3',
      },
      annotations: { note, ...(index % offeredOneIn === 0 ? { transferRequest: `receiving/${name}` } : {}) },
      finalizers: ['kubernetes.io/pvc-protection'],
      managedFields: [
        { ...managed, manager: 'helm', fieldsV1: { 'f:spec': { 'f:accessModes': {}, 'f:resources': {} } } },
      ],
    },
    spec: {
      accessModes: ['ReadWriteOnce'],
      resources: { requests: { storage: '10Gi' } },
      storageClassName: 'standard',
      volumeMode: 'Filesystem',
      volumeName: `pvc-b6ae5840-1361-4040-bdb6-${String(index).padStart(12, '0')}`,
    },
    status: { phase: 'Bound', accessModes: ['ReadWriteOnce'], capacity: { storage: '10Gi' } },
  };
}
