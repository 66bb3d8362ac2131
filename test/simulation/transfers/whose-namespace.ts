import { confirmationAnnotation } from '../../../lib/kubernetes/namespace-consent.ts';
import type {
  ClusterObject,
  ReferenceGrant,
  TransferApproval,
  TransferRequest,
} from '../../../lib/kubernetes/objects.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';

/**
 * In which namespace each object came into being, and which namespaces somebody meant who wrote a name. The objects
 * themselves do not tell: a namespace that is made anew is known by its uid alone.
 */
export class WhoseNamespace {
  private readonly cluster: FakeCluster;
  private readonly homes = new Map<string, string | undefined>();
  private readonly meant = new Map<string, Set<string | undefined>>();

  constructor(cluster: FakeCluster) {
    this.cluster = cluster;
  }

  /** Takes note of an object that was changed or made. */
  note({ kind, metadata, ...rest }: ClusterObject): void {
    const { uid = '', namespace = '', annotations = {} } = metadata;
    if (!this.homes.has(uid)) {
      this.homes.set(uid, this.present(namespace));
      this.meant.set(uid, new Set([this.present(namespaceMeantBy(kind, rest))]));
    }
    for (const each of annotations[confirmationAnnotation]?.split(',') ?? []) this.meant.get(uid)?.add(each);
  }

  /** The uid of the namespace that an object was made in. */
  homeOf(uid: string | undefined): string | undefined {
    return this.homes.get(uid ?? '');
  }

  /** Whether a request, an approval or a grant was written for this namespace. */
  isMeant(uid: string | undefined, namespace: string | undefined): boolean {
    return namespace !== undefined && this.meant.get(uid ?? '')?.has(namespace) === true;
  }

  private present(name: string): string | undefined {
    return this.cluster.namespaces.get(name)?.metadata.uid;
  }
}

function namespaceMeantBy(kind: string, rest: object): string {
  const object = rest as ClusterObject;
  if (kind === resources.transferRequest.kind) return (object as TransferRequest).spec.source.namespace;
  if (kind === resources.transferApproval.kind) return (object as TransferApproval).spec.targetNamespace;
  if (kind === resources.referenceGrant.kind) return (object as ReferenceGrant).spec?.from?.[0]?.namespace ?? '';
  return '';
}
