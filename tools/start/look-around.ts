import { CsiStandIn } from '../csi-stand-in/stand-in.ts';
import { clusterName, type LocalStack } from '../local/local-stack.ts';

const shown = ['AWS_ENDPOINT_URL', 'AWS_REGION', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'];

/** Commands to try in another terminal while all this runs. */
export function lookAround({ controlPlane, localAws, stack, deployment, driver }: LocalStack): string {
  const settings = shown.map((name) => `${name}=${localAws.environment[name]}`);
  const snapshots = driver instanceof CsiStandIn ? ofSnapshots : '';
  return `
6. Look around, in another terminal

  export KUBECONFIG=${controlPlane.kubeconfigPath}
  kubectl get pv,pvc,streq,stappr -A
  kubectl -n stage describe streq db2
  kubectl -n stage delete pvc db2-test       # the claim in the way; once it is gone, the transfer continues
  kubectl get buckets,bucketcontents,bucketclasses,cosiregistrations -A
  kubectl -n stage delete secret photos-credentials     # comes back
  kubectl -n stage delete bucket photos                 # with its bucket, its user and its keys
${snapshots}
  export ${settings.join(' ')}
  export LONGSHORE_STAGE=${deployment.stage} CLUSTER=${clusterName}
  npm run --silent longshore -- trace streq stage/db1   # everything that happened to it
  npm run --silent longshore -- queues
  npm run --silent longshore -- dlq --cluster $CLUSTER
  npm run --silent longshore -- resync --dry-run
  npm run --silent longshore -- replay --from 1h --dry-run
  aws logs filter-log-events --query 'events[].[message]' --output text --log-group-name /aws/lambda/${stack.functionNames['match-transfer']}

Ctrl-C stops and removes everything. On a cluster of your own, longshore demo shows the same.`;
}

const ofSnapshots = `  kubectl get volumesnapshots,volumesnapshotcontents,referencegrants -A
  kubectl -n stage describe pvc ledger
  kubectl -n stage get pvc ledger -o yaml     # with its dataSourceRef as it is kept
`;
