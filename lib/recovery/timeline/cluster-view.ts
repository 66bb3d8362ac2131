import type { Cluster } from '../../kubernetes/cluster.ts';
import type { Api } from '../../kubernetes/connection.ts';
import { errorFromAnswer, isClusterError } from '../../kubernetes/errors.ts';
import type { ClusterObject, KubernetesEvent } from '../../kubernetes/objects.ts';
import { type ObjectName, objectPath, resources } from '../../kubernetes/resources.ts';

/** Without a fallback: a server that cannot answer in this form must refuse, and not send the contents after all. */
const metadataAlone = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1';
/** The namespace of Events about cluster-scoped objects. */
const defaultNamespace = 'default';

export interface View {
  cluster: Pick<Cluster, 'get' | 'list'>;
  connection: Pick<Api, 'send'>;
}

/** Reads from a cluster. Each problem is reported once, and a server that does not answer is not called again. */
export class ClusterView {
  readonly problems = new Set<string>();
  /** True if every call was answered; otherwise an object that was not found may exist. */
  isWhole = true;
  private readonly view: View;
  private isOver = false;

  constructor(view: View) {
    this.view = view;
  }

  /** Of a Secret, only the metadata is read. */
  async object(name: ObjectName): Promise<ClusterObject | undefined> {
    const isSecret = name.resource === resources.secret;
    return this.ask(() => (isSecret ? this.metadataOf(name) : this.view.cluster.get(name)), undefined);
  }

  async eventsAbout({ resource, namespace, name }: ObjectName): Promise<KubernetesEvent[]> {
    const fields = { 'regarding.kind': resource.kind, 'regarding.name': name };
    const at = namespace ?? defaultNamespace;
    return this.ask(() => this.view.cluster.list(resources.event, at, 'present', fields), []);
  }

  private async metadataOf(name: ObjectName): Promise<ClusterObject | undefined> {
    const { status, body } = await this.view.connection.send({
      method: 'GET',
      path: objectPath(name),
      accept: metadataAlone,
    });
    if (status === 200) return JSON.parse(body) as ClusterObject;
    const error = errorFromAnswer(status, body);
    if (isClusterError(error, 'gone')) return undefined;
    throw error;
  }

  private async ask<T>(question: () => Promise<T>, otherwise: T): Promise<T> {
    if (this.isOver) return otherwise;
    try {
      return await question();
    } catch (error) {
      if (!isClusterError(error)) throw error;
      this.isWhole = false;
      this.isOver = isClusterError(error, 'unreachable', 'unauthorized');
      this.problems.add(error.message);
      return otherwise;
    }
  }
}
