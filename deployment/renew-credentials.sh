#!/bin/sh
# Gives each function new credentials for a cluster: a token of its service account, as a kubeconfig in the secret that
# it reads.
#
#   CLUSTER=main LONGSHORE_STAGE=production sh deployment/renew-credentials.sh
#
# The cluster is that of kubectl's current context. CLUSTER is its name in the parameter `clusters`, whose secrets have
# to be longshore/<stage>/clusters/<cluster>/<function>. DURATION is the requested lifetime of the tokens, by default a
# year; the cluster may limit it, and the actual expiry is printed.
set -eu
: "${CLUSTER:?the name of the cluster in the parameter clusters}" "${LONGSHORE_STAGE:?the stage of the deployment}"
umask 077
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

minified() { kubectl config view --raw --minify --flatten -o "jsonpath={.clusters[0].cluster.$1}"; }
server=$(minified server)
authority=$(minified certificate-authority-data)

# Tokens of service accounts are JWTs.
endOf() {
  node -p 'new Date(JSON.parse(Buffer.from(fs.readFileSync(0, "utf8").split(".")[1], "base64url")).exp * 1000).toISOString()'
}

for function in $(kubectl -n longshore-system get serviceaccounts -o 'jsonpath={.items[*].metadata.name}'); do
  secret="longshore/$LONGSHORE_STAGE/clusters/$CLUSTER/$function"
  [ "$function" != default ] || continue
  token=$(kubectl -n longshore-system create token "$function" --duration="${DURATION:-8760h}")
  # In a file, as command lines are visible to every user.
  cat >"$folder/kubeconfig" <<KUBECONFIG
{
  "apiVersion": "v1",
  "kind": "Config",
  "current-context": "$CLUSTER",
  "contexts": [{ "name": "$CLUSTER", "context": { "cluster": "$CLUSTER", "user": "$function" } }],
  "clusters": [
    { "name": "$CLUSTER", "cluster": { "server": "$server", "certificate-authority-data": "$authority" } }
  ],
  "users": [{ "name": "$function", "user": { "token": "$token" } }]
}
KUBECONFIG
  store() { aws secretsmanager "$@" "$secret" --secret-string "file://$folder/kubeconfig" >"$folder/answer" 2>&1; }
  if ! store put-secret-value --secret-id; then
    # It may not exist yet. Any other error is printed for the user.
    grep -q ResourceNotFoundException "$folder/answer" && store create-secret --name || { cat "$folder/answer" >&2; exit 1; }
  fi
  echo "$secret has new credentials, until $(printf %s "$token" | endOf)"
done
