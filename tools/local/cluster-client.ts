import { setTimeout as pause } from 'node:timers/promises';
import {
  ApiException,
  EventsV1Api,
  type KubernetesObject,
  KubernetesObjectApi,
  PatchStrategy,
} from '@kubernetes/client-node';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { displayName } from '../../lib/kubernetes/resources.ts';
import { patient, pauseAfter } from '../processes/patience.ts';
import { PatientKubeConfig } from './patient-kubeconfig.ts';

const defaultWaitMs = patient(300_000);

/** The fields that identify an object; every object has them. */
type Reference = Pick<ClusterObject, 'apiVersion' | 'kind'> & { metadata: { name: string; namespace?: string } };

/** The contents of a Kubernetes Event. */
export interface Said {
  readonly type: string;
  readonly reason: string;
  readonly note: string;
}

/** A user of the cluster: creates objects and waits for the results. It is not Longshore's own client. */
export class ClusterClient {
  private readonly objects: KubernetesObjectApi;
  private readonly events: EventsV1Api;
  private readonly waitMs: number;

  /** `waitMs`: the time limit for all waits. */
  constructor(kubeconfigPath: string, waitMs = defaultWaitMs) {
    this.waitMs = waitMs;
    const config = PatientKubeConfig.fromFile(kubeconfigPath);
    this.objects = KubernetesObjectApi.makeApiClient(config);
    this.events = config.makeApiClient(EventsV1Api);
  }

  async create<T extends Reference>(object: T): Promise<T> {
    return (await this.objects.create(asKubernetes(object))) as unknown as T;
  }

  /** Namespaces get their service account a moment later: only then can everything be created in them. */
  async createNamespace(name: string): Promise<ClusterObject> {
    const namespace = await this.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
    await this.until({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: name, name: 'default' } });
    return namespace;
  }

  async get<T extends Reference>(reference: T): Promise<T | undefined> {
    try {
      return (await this.objects.read(asKubernetes(reference) as NamedObject)) as unknown as T;
    } catch (error) {
      if (error instanceof ApiException && error.code === 404) return undefined;
      throw error;
    }
  }

  /** Sets annotations; null removes one. */
  async annotate(reference: Reference, annotations: Record<string, string | null>): Promise<void> {
    await this.change(reference, { metadata: { annotations } });
  }

  /** Changes the given fields, as in a merge patch: a list is replaced, and null removes a field. */
  async change(reference: Reference, { metadata, ...fields }: { metadata?: object; [field: string]: unknown }) {
    const { apiVersion, kind } = reference;
    const { name, namespace } = reference.metadata;
    const change = { apiVersion, kind, metadata: { name, namespace, ...metadata }, ...fields };
    await this.objects.patch(
      change as unknown as KubernetesObject,
      undefined,
      undefined,
      undefined,
      undefined,
      PatchStrategy.MergePatch,
    );
  }

  /** An object that is gone already counts as deleted. */
  async delete(reference: Reference, gracePeriodSeconds?: number): Promise<void> {
    try {
      await this.objects.delete(asKubernetes(reference), undefined, undefined, gracePeriodSeconds);
    } catch (error) {
      if (!(error instanceof ApiException && error.code === 404)) throw error;
    }
  }

  /** Returns the object as soon as it exists and meets the condition. */
  async until<T extends Reference>(
    reference: T,
    condition: (found: T) => boolean = () => true,
    timeoutMs = this.waitMs,
  ): Promise<T> {
    const found = await this.poll(reference, (object) => object !== undefined && condition(object), timeoutMs);
    if (found === undefined) throw new Error(`${describe(reference)} is gone`);
    return found;
  }

  async untilGone(reference: Reference, timeoutMs = this.waitMs): Promise<void> {
    await this.poll(reference, (object) => object === undefined, timeoutMs);
  }

  async untilGoneOr<T extends Reference>(reference: T, condition: (found: T) => boolean): Promise<void> {
    await this.poll(reference, (object) => object === undefined || condition(object), this.waitMs);
  }

  /** The Events about an object, oldest first. */
  async eventsAbout({ kind, metadata }: Reference): Promise<Said[]> {
    const { items } = await this.events.listNamespacedEvent({ namespace: metadata.namespace ?? 'default' });
    return items
      .filter(({ regarding }) => regarding?.kind === kind && regarding.name === metadata.name)
      .sort((one, other) => Number(one.metadata?.creationTimestamp) - Number(other.metadata?.creationTimestamp))
      .map(({ type = '', reason = '', note = '' }) => ({ type, reason, note }));
  }

  private async poll<T extends Reference>(
    reference: T,
    condition: (object: T | undefined) => boolean,
    timeoutMs: number,
  ): Promise<T | undefined> {
    const begun = Date.now();
    for (;;) {
      const found = await this.get(reference);
      if (condition(found)) return found;
      const waitedMs = Date.now() - begun;
      if (waitedMs > timeoutMs) throw notInTime(reference, found, timeoutMs);
      await pause(pauseAfter(waitedMs));
    }
  }
}

type NamedObject = KubernetesObject & { metadata: { name: string; namespace: string } };

/** The client's types have dates for times, which are strings on the wire and in our types. */
function asKubernetes(reference: Reference): KubernetesObject {
  return reference as unknown as KubernetesObject;
}

function notInTime(reference: Reference, found: object | undefined, timeoutMs: number): Error {
  const status = found && 'status' in found ? found.status : undefined;
  const now = found ? `its status is ${JSON.stringify(status)}` : 'it does not exist';
  return new Error(`${describe(reference)} did not reach that state within ${timeoutMs / 1000} s: ${now}`);
}

function describe({ kind, metadata }: Reference): string {
  return `${kind} ${displayName(metadata)}`;
}
