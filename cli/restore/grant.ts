import { stringify } from 'yaml';
import { resources } from '../../lib/kubernetes/resources.ts';
import type { Work } from '../objects/work.ts';
import { grantFor, type Restore } from './restore-objects.ts';

const { referenceGrant } = resources;
const versions = [referenceGrant.apiVersion, ...(referenceGrant.olderVersions ?? [])];

/** The newest version that the cluster serves; undefined if it has no such kind. */
export async function grantVersion({ api }: Pick<Work, 'api'>): Promise<string | undefined> {
  for (const version of versions) {
    const served = await api.get<{ resources?: { name: string }[] }>(`/apis/${version}`);
    if (served?.resources?.some(({ name }) => name === referenceGrant.plural)) return version;
  }
  return undefined;
}

/** What the owner of the snapshot has to do. What varies in it are names of objects: no shell takes them for more. */
export function grantText(wish: Pick<Restore, 'namespace' | 'from' | 'snapshot'>, version: string | undefined): string {
  const { from, namespace } = wish;
  const grant = grantFor(wish, version ?? 'gateway.networking.k8s.io/v1beta1');
  const lacking =
    version === undefined
      ? 'The cluster has no kind ReferenceGrant: a cluster administrator has to install that of the Gateway API first.\n'
      : '';
  return `${lacking}The owner of namespace ${from} allows it with this, unless that has been done. As long as it exists, everybody who may
create links and claims in namespace ${namespace} can copy this snapshot:

kubectl apply -f - <<'EOF'
${stringify(grant, { lineWidth: 0 }).trimEnd()}
EOF
`;
}
