#!/bin/sh
# Gives each function new credentials for a cluster: a token of its service account, as a kubeconfig in the secret or the
# parameter that it reads.
#
#   CLUSTER=main LONGSHORE_STAGE=production sh deployment/renew-credentials.sh
#
# The cluster is that of kubectl's current context. CLUSTER is its name in the parameter `clusters`, whose secrets have
# to be longshore/<stage>/clusters/<cluster>/<function>, or parameters of this name with a slash before it. STORE is
# secretsmanager or ssm; by default, a secret that is there gets the credentials, and otherwise a parameter. DURATION is the requested lifetime of the tokens, by default a
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
  name="longshore/$LONGSHORE_STAGE/clusters/$CLUSTER/$function"
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
  run() { aws "$@" >"$folder/answer" 2>&1; }
  put_secret() { run secretsmanager "$@" "$name" --secret-string "file://$folder/kubeconfig"; }
  put_parameter() {
    # Up to 4 KB a parameter costs nothing, which is enough for most kubeconfigs; a larger one gets the room that it needs.
    run ssm put-parameter --overwrite --type SecureString --tier Intelligent-Tiering --name "/$name" \
      --value "file://$folder/kubeconfig"
  }
  is_missing() { grep -q ResourceNotFoundException "$folder/answer"; }
  put_new_secret() { is_missing && put_secret create-secret --name; }
  renew_secret() { put_secret put-secret-value --secret-id && stored="secret $name"; }
  renew_parameter() { put_parameter && stored="parameter /$name"; }
  case "${STORE:-}" in
    ssm) renew_parameter ;;
    secretsmanager) renew_secret || { put_new_secret && stored="secret $name"; } ;;
    '') renew_secret || { is_missing && renew_parameter; } ;;
    *) echo "STORE must be ssm or secretsmanager, but is $STORE" >"$folder/answer" && false ;;
  esac || { cat "$folder/answer" >&2; exit 1; }
  echo "$stored has new credentials, until $(printf %s "$token" | endOf)"
done
