import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { selfSignedCertificate } from './certificate.ts';

/** The files that the components share, in one folder that only we can read. */
export interface SharedFiles {
  folder: string;
  certificates: string;
  servingCertificate: string;
  tokens: string;
  serviceAccountKey: string;
  serviceAccountPublicKey: string;
  auditPolicy: string;
  auditLog: string;
  adminToken: string;
  controllerManagerToken: string;
}

export async function writeSharedFiles(folder: string): Promise<SharedFiles> {
  const files: SharedFiles = {
    folder,
    certificates: join(folder, 'certificates'),
    // The API server uses what it finds there. What it would create itself takes it longer with each connection.
    servingCertificate: join(folder, 'certificates', 'apiserver.crt'),
    tokens: join(folder, 'tokens.csv'),
    serviceAccountKey: join(folder, 'service-account.key'),
    serviceAccountPublicKey: join(folder, 'service-account.pub'),
    auditPolicy: join(folder, 'audit-policy.yaml'),
    auditLog: join(folder, 'audit.log'),
    adminToken: randomBytes(24).toString('hex'),
    controllerManagerToken: randomBytes(24).toString('hex'),
  };
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  await writeFile(files.serviceAccountKey, privateKey.export({ type: 'sec1', format: 'pem' }), { mode: 0o600 });
  await writeFile(files.serviceAccountPublicKey, publicKey.export({ type: 'spki', format: 'pem' }));
  const tokens = [
    `${files.adminToken},longshore-local-admin,admin,"system:masters"`,
    `${files.controllerManagerToken},system:kube-controller-manager,controller-manager`,
  ];
  await writeFile(files.tokens, `${tokens.join('\n')}\n`, { mode: 0o600 });
  await writeFile(files.auditPolicy, auditPolicy);
  const { cert, key: servingKey } = selfSignedCertificate();
  await mkdir(files.certificates);
  await writeFile(files.servingCertificate, cert);
  await writeFile(join(files.certificates, 'apiserver.key'), servingKey, { mode: 0o600 });
  return files;
}

const auditPolicy = `apiVersion: audit.k8s.io/v1
kind: Policy
omitStages: [RequestReceived]
rules: [{ level: Metadata }]
`;

/** etcd does not authenticate: so it listens on a socket in the folder that only we can open. */
export function etcdSocket(folder: string): string {
  return join(folder, 'etcd.sock');
}

/** Everything that etcd stores. */
export function dataIn(folder: string): string {
  return join(folder, 'data');
}

export function etcdArguments(folder: string): string[] {
  // It has no peers, but requires an address for them, with a port. This is a socket in its working folder.
  const peer = 'unix://peer:0';
  return [
    `--data-dir=${dataIn(folder)}`,
    `--listen-client-urls=unix://${etcdSocket(folder)}`,
    // The advertised address must have a port too; it is never used.
    '--advertise-client-urls=unix://client:0',
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    // The data does not outlive the run, so nothing is lost by not waiting for the disk.
    '--unsafe-no-fsync',
  ];
}

export interface ServerOptions {
  auditLog: boolean;
  featureGates: Record<string, boolean>;
}

export function serverArguments(files: SharedFiles, port: number, { auditLog, featureGates }: ServerOptions): string[] {
  const gates = Object.entries(featureGates).map(([name, on]) => `${name}=${on}`);
  return [
    `--etcd-servers=unix://${etcdSocket(files.folder)}`,
    '--bind-address=127.0.0.1',
    '--advertise-address=127.0.0.1',
    `--secure-port=${port}`,
    `--cert-dir=${files.certificates}`,
    '--authorization-mode=RBAC',
    `--token-auth-file=${files.tokens}`,
    '--anonymous-auth=false',
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--service-cluster-ip-range=10.0.0.0/24',
    '--endpoint-reconciler-type=none',
    ...(auditLog ? [`--audit-policy-file=${files.auditPolicy}`, `--audit-log-path=${files.auditLog}`] : []),
    ...(gates.length > 0 ? [`--feature-gates=${gates.join(',')}`] : []),
  ];
}

export function controllerManagerArguments(
  files: SharedFiles,
  kubeconfig: string,
  queriesPerSecond?: number,
): string[] {
  return [
    `--kubeconfig=${kubeconfig}`,
    '--leader-elect=false',
    '--secure-port=0',
    '--use-service-account-credentials',
    `--service-account-private-key-file=${files.serviceAccountKey}`,
    `--root-ca-file=${files.servingCertificate}`,
    // No nodes and no workloads run here: only the controllers for storage, quota, namespaces and identities.
    '--controllers=persistentvolume-binder-controller,persistentvolume-protection-controller,persistentvolumeclaim-protection-controller,persistentvolume-expander-controller,garbage-collector-controller,namespace-controller,resourcequota-controller,serviceaccount-controller,serviceaccount-token-controller,root-ca-certificate-publisher-controller,clusterrole-aggregation-controller,statefulset-controller',
    ...(queriesPerSecond ? [`--kube-api-qps=${queriesPerSecond}`, `--kube-api-burst=${queriesPerSecond * 2}`] : []),
  ];
}
