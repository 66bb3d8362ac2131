import type { Resource } from '../../lib/kubernetes/resource.ts';
import { resources } from '../../lib/kubernetes/resources.ts';
import { buildMessage } from '../../lib/queue/message.ts';
import type { Cause } from '../../lib/queue/message-parts.ts';
import type { Arrived, History, Written } from './case-forwarder-history.ts';
import { clusterName } from './case-forwarder-processes.ts';

/** What a message was about. */
export interface Told {
  /** The object and the version that it names; undefined when nobody wrote such a one. */
  cause: { written: Written; version: number } | undefined;
  runId: string | undefined;
  arrived: Arrived;
}

export interface Content {
  id: string;
  kind: string;
  namespace?: string;
  name: string;
  runid?: string;
}

/** The ids of the messages that the queue has taken so far. */
export class ArrivedIds {
  private readonly history: History;
  private readonly ids = new Set<string>();
  private read = 0;

  constructor(history: History) {
    this.history = history;
  }

  has(id: string): boolean {
    for (const event of this.history.slice(this.read)) {
      if (event.type === 'arrived') this.ids.add((JSON.parse(event.body) as Content).id);
    }
    this.read = this.history.length;
    return this.ids.has(id);
  }
}

export function idOf(written: Written, version: number): string {
  return (JSON.parse(messageOf(written, { version, type: 'update' }).body) as Content).id;
}

/** As the checkpoint names a kind. */
export function checkpointName(plural: string): string {
  return plural === resources.claim.plural ? plural : `${plural}.transfer.storage.k8s.io`;
}

export function causesById(written: Written[]): Map<string, Told['cause']> {
  const types: Cause['type'][] = ['add', 'update'];
  const causes = new Map<string, Told['cause']>();
  for (const each of written) {
    for (const version of each.versions) {
      for (const type of types) {
        const { id } = JSON.parse(messageOf(each, { version, type }).body) as Content;
        causes.set(id, { written: each, version });
      }
    }
  }
  return causes;
}

export function messageOf(
  { function: name, kind, key, uid }: Written,
  { version, type }: { version: number; type: Cause['type'] },
) {
  const resource: Resource = kind === resources.claim.plural ? resources.claim : resources.transferRequest;
  const cause: Cause = { uid, resourceVersion: String(version), type };
  return buildMessage({ cluster: clusterName, function: name, resource, key, cause, time: new Date(0) });
}

/** What it is about, as far as somebody wrote that. */
export function read(arrived: Arrived, causes: Map<string, Told['cause']>): Told {
  const { id, runid } = JSON.parse(arrived.body) as Content;
  return { cause: causes.get(id), runId: runid, arrived };
}

export function subjectOf({ kind, namespace, name }: Content): string {
  return `${kind} ${namespace}/${name}`;
}
