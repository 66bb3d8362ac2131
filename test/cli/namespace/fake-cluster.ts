import { ClusterApi } from '../../../cli/connect/cluster-api.ts';
import type { User } from '../../../cli/objects/user.ts';
import type { Work } from '../../../cli/objects/work.ts';
import { Stages } from '../../../cli/terminal/stages.ts';
import type { Api, Call } from '../../../lib/kubernetes/api.ts';
import type { ClusterObject } from '../../../lib/kubernetes/objects.ts';

interface Stored {
  object: ClusterObject;
  path: string;
}

const pluralOf: Record<string, string> = {
  PersistentVolumeClaim: 'persistentvolumeclaims',
  Pod: 'pods',
  StorageTransferRequest: 'storagetransferrequests',
  StorageTransferApproval: 'storagetransferapprovals',
  Bucket: 'buckets',
  BucketClass: 'bucketclasses',
  VolumeSnapshotLink: 'volumesnapshotlinks',
};

export function pathOf({ apiVersion, kind, metadata }: ClusterObject): string {
  const root = apiVersion.includes('/') ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
  const scope = metadata.namespace === undefined ? '' : `/namespaces/${metadata.namespace}`;
  return `${root}${scope}/${pluralOf[kind]}/${metadata.name}`;
}

/** An API server as far as commands need one: it keeps objects, checks preconditions, and denies what it is told to. */
export class FakeCluster implements Pick<Api, 'sendForBytes'> {
  readonly calls: Call[] = [];
  /** `<verb> <plural>`, or `<verb> <plural> <namespace>`. */
  readonly denied = new Set<string>();
  /** All others are there. */
  readonly missingNamespaces = new Set<string>();
  /** What is left of an object by the definitions that the cluster has. */
  pruned = (object: ClusterObject): ClusterObject => object;
  private readonly stored = new Map<string, ClusterObject>();
  private version = 0;

  constructor(...objects: ClusterObject[]) {
    for (const object of objects) this.put(object);
  }

  put(object: ClusterObject): ClusterObject {
    this.version += 1;
    const { uid = `uid-${this.version}`, creationTimestamp = '2026-11-20T00:00:00Z', ...rest } = object.metadata;
    const resourceVersion = String(this.version);
    const kept = { ...object, metadata: { ...rest, uid, creationTimestamp, resourceVersion } };
    this.stored.set(pathOf(object), kept);
    return kept;
  }

  get(object: ClusterObject): ClusterObject | undefined {
    return this.stored.get(pathOf(object));
  }

  drop(object: ClusterObject): void {
    this.stored.delete(pathOf(object));
  }

  async sendForBytes(call: Call) {
    this.calls.push(call);
    const { status, body } = this.answer(call);
    return { status, body: Buffer.from(JSON.stringify(body)) };
  }

  private answer(call: Call): { status: number; body: object } {
    const [path = '', query = ''] = call.path.split('?');
    const isDryRun = query.includes('dryRun=All') || JSON.stringify(call.body ?? {}).includes('"dryRun"');
    const [, namespace, plural = '', name] =
      /^\/apis?\/(?:[^/]+\/)?v[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?$/.exec(path) ?? [];
    const verb = { GET: name ? 'get' : 'list', POST: 'create', PATCH: 'patch', DELETE: 'delete' }[call.method];
    if (this.denied.has(`${verb} ${plural}`) || this.denied.has(`${verb} ${plural} ${namespace}`)) {
      return failure(403, 'Forbidden', `${plural} is forbidden: User "jane" cannot ${verb} resource "${plural}"`);
    }
    if (verb === 'list') {
      const prefix = namespace === undefined ? '' : `/namespaces/${namespace}/`;
      const isIn = ({ path: at }: Stored) => at.includes(`/${plural}/`) && at.includes(prefix);
      const all = [...this.stored].map(([at, object]) => ({ path: at, object }));
      return { status: 200, body: { metadata: {}, items: all.filter(isIn).map(({ object }) => object) } };
    }
    if (verb === 'create') return this.create(call.body as ClusterObject, isDryRun);
    if (plural === 'namespaces' && !this.missingNamespaces.has(name ?? '')) return { status: 200, body: {} };
    const found = this.stored.get(path);
    if (!found) return failure(404, 'NotFound', `${name} not found`);
    if (verb === 'get') return { status: 200, body: found };
    return this.change(found, call, isDryRun);
  }

  private create(object: ClusterObject, isDryRun: boolean) {
    if (this.stored.has(pathOf(object))) return failure(409, 'AlreadyExists', 'exists');
    return { status: 201, body: isDryRun ? object : this.put(this.pruned(object)) };
  }

  private change(found: ClusterObject, { method, body }: Call, isDryRun: boolean) {
    const { metadata = {}, preconditions = metadata } = body as Record<string, Record<string, unknown>>;
    for (const field of ['uid', 'resourceVersion'] as const) {
      const wanted = preconditions[field];
      if (wanted !== undefined && wanted !== found.metadata[field]) return failure(409, 'Conflict', `another ${field}`);
    }
    if (method === 'DELETE') {
      if (!isDryRun) this.stored.delete(pathOf(found));
      return { status: 200, body: {} };
    }
    const annotations = { ...found.metadata.annotations, ...(metadata.annotations as Record<string, string>) };
    for (const [key, value] of Object.entries(annotations)) if (value === null) delete annotations[key];
    const changed = { ...found, metadata: { ...found.metadata, annotations } };
    return { status: 200, body: isDryRun ? changed : this.put(changed) };
  }
}

function failure(status: number, reason: string, message: string) {
  return { status, body: { kind: 'Status', status: 'Failure', reason, message } };
}

export interface Told {
  out: string[];
  err: string[];
  questions: string[];
}

interface Options {
  namespace?: string;
  answer?: boolean;
  /** Called each time that a command waits: what others do meanwhile. */
  meanwhile?: (times: number, stop: AbortController) => void;
}

/** A command's surroundings, in which no time passes but when it waits. */
export function workIn(cluster: FakeCluster, { namespace = 'team-a', answer = true, meanwhile }: Options = {}) {
  const told: Told = { out: [], err: [], questions: [] };
  const stop = new AbortController();
  let [nowMs, times] = [0, 0];
  const user: User = {
    tell: (text) => told.out.push(text),
    remark: (text) => told.err.push(text),
    progress: new Stages({ write: (text: string) => told.err.push(text.trimEnd()) }),
    confirm: async (question, words) => {
      told.questions.push(`${question}\n${words}`);
      return answer;
    },
    stopped: stop.signal,
    pause: async (milliseconds) => {
      nowMs += milliseconds;
      times += 1;
      meanwhile?.(times, stop);
    },
    nowMs: () => nowMs,
  };
  const work: Work = { api: new ClusterApi(cluster as unknown as Api), namespace, reach: [], user };
  return { work, told };
}
