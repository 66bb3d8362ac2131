import { type ApiRequests, inParallel } from './api-requests.ts';
import { Ledger } from './ledger.ts';

/** The properties of a claim to create. */
export interface ClaimShape {
  /** Offered claims concern a key of ours, and every change of an offer causes exactly one message. */
  isOffered: boolean;
  /** True if our finalizer is on it, as on a claim whose offer is in progress. */
  isFenced: boolean;
}

const namespace = 'bench';
const path = `/api/v1/namespaces/${namespace}/persistentvolumeclaims`;
const width = 48;
const fence = 'longshore.dev/transfer-offer';
/** With it a claim is about as large as one from a Helm chart: some 1,100 bytes in the server's response. */
const note = 'made for a measurement by nobody in particular, looked at by none, and kept as long as that lasts';

/** The claims of one measurement on one API server, each with a number, and the versions that were written. */
export class Claims {
  readonly ledger = new Ledger();
  private readonly requests: ApiRequests;
  private readonly offered = new Set<number>();
  private changes = 0;

  constructor(requests: ApiRequests) {
    this.requests = requests;
  }

  async createMany(from: number, count: number, shapeOf: (index: number) => ClaimShape): Promise<void> {
    await inParallel(count, width, (offset) => this.create(from + offset, shapeOf(from + offset)));
  }

  async create(index: number, shape: ClaimShape): Promise<void> {
    const query = '?fieldManager=bench&fieldValidation=Ignore';
    const answer = await this.requests.create(`${path}${query}`, claimOf(index, shape));
    if (shape.isOffered) this.offered.add(index);
    this.ledger.note(keyOf(index), answer);
  }

  /** Changes the claim that a claim is offered to; one that is not offered only gets another note. */
  async change(index: number): Promise<void> {
    this.changes += 1;
    const other = this.offered.has(index)
      ? { transferRequest: `receiving/${nameOf(index)}-${this.changes}` }
      : { note: `${note}, ${this.changes}` };
    const answer = await this.requests.patch(`${path}/${nameOf(index)}?fieldManager=bench`, {
      metadata: { annotations: other },
    });
    this.ledger.note(keyOf(index), answer);
  }

  offeredKeys(): Set<string> {
    return new Set([...this.offered].map(keyOf));
  }

  /** Deletes a claim and removes its protection from pods, as a controller would. */
  async remove(index: number, { isFenced }: Pick<ClaimShape, 'isFenced'>): Promise<void> {
    const finalizers = isFenced ? [fence] : null;
    this.ledger.note(keyOf(index), await this.requests.delete(`${path}/${nameOf(index)}`));
    const answer = await this.requests.patch(`${path}/${nameOf(index)}`, { metadata: { finalizers } });
    this.ledger.note(keyOf(index), answer);
    if (!isFenced) this.ledger.noteGone(keyOf(index));
  }

  /** Replaces a claim that was never offered, so that no message about it is expected. */
  async replace(index: number, by: number): Promise<void> {
    await this.remove(index, { isFenced: false });
    this.ledger.forget(keyOf(index));
    await this.create(by, { isOffered: false, isFenced: false });
  }
}

export function keyOf(index: number): string {
  return `${namespace}/${nameOf(index)}`;
}

export const namespaceOfClaims = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } };

function nameOf(index: number): string {
  return `data-of-application-${String(index).padStart(6, '0')}`;
}

function claimOf(index: number, { isOffered, isFenced }: ClaimShape): object {
  const name = nameOf(index);
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: {
      name,
      labels: { 'app.kubernetes.io/name': 'application', 'app.kubernetes.io/instance': name },
      annotations: { note, ...(isOffered ? { transferRequest: `receiving/${name}` } : {}) },
      ...(isFenced ? { finalizers: [fence] } : {}),
    },
    // No class of this name exists, so nothing is provisioned.
    spec: {
      accessModes: ['ReadWriteOnce'],
      storageClassName: 'made-by-hand',
      resources: { requests: { storage: '1Gi' } },
    },
  };
}
