import { readdirSync, readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';
import { prefixOf } from '../../deployment/serverless/service.ts';
import type { Declaration } from '../../lib/reconcile/declaration.ts';

/** The additions to the manifests for Amazon EKS: the role of each function, and the cluster's group for it. */

interface Deployed extends Declaration {
  capability?: string;
}

/** `HasDataSources` for data-sources: the name of the condition in deployment/eks-access.yml. */
const conditionOf = (capability: string) => `Has${prefixOf(capability)}`;

/** The template up to its resources is written by hand: its purpose, and its parameters. */
export function eksAccess(present: string, declarations: readonly Deployed[]): string {
  const [head = ''] = present.split(/(?<=^Resources:\n)/m);
  const entries = declarations.filter(callsClusters).map(({ name, capability }) => {
    const condition = capability ? `\n    Condition: ${conditionOf(capability)}` : '';
    return `  ${prefixOf(name)}Access:
    Type: AWS::EKS::AccessEntry${condition}
    Properties:
      ClusterName: !Ref Cluster
      PrincipalArn: !ImportValue { "Fn::Sub": "\${Deployment}-${name}-role" }
      KubernetesGroups: [longshore:${name}]
`;
  });
  return `${head}${entries.join('')}`;
}

function callsClusters({ permissions }: Declaration): boolean {
  return permissions.length > 0;
}

interface Binding {
  kind: string;
  metadata: { name: string; namespace?: string };
  roleRef: { kind: string; name: string };
  subjects: { name: string }[];
}

const apiGroup = 'rbac.authorization.k8s.io';

/** Binds to groups what the manifests bind to service accounts; the text above the first binding stays. */
export function eksGroups(present: string, rbac: URL): string {
  const [head = ''] = present.split(/^(?=apiVersion:)/m);
  const texts = readdirSync(rbac)
    .sort()
    .map((file) => readFileSync(new URL(file, rbac), 'utf8'));
  const bindings = texts
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Binding))
    .filter(({ kind }) => kind.endsWith('RoleBinding'));
  return `${head}${bindings.map(groupBinding).join('---\n')}`;
}

function groupBinding({ kind, metadata, roleRef, subjects }: Binding): string {
  const namespace = metadata.namespace ? `, namespace: ${metadata.namespace}` : '';
  const groups = subjects.map(({ name }) => `  - { apiGroup: ${apiGroup}, kind: Group, name: longshore:${name} }\n`);
  return `apiVersion: ${apiGroup}/v1
kind: ${kind}
metadata: { name: ${metadata.name}-eks${namespace} }
roleRef: { apiGroup: ${apiGroup}, kind: ${roleRef.kind}, name: ${roleRef.name} }
subjects:
${groups.join('')}`;
}
