/** The address of an API server. */
export interface ServerAddress {
  url: URL;
  /** The prefix of each path: a gateway may serve a cluster's API below one, such as `/k8s/clusters/c-1`. */
  prefix: string;
}

/** Parses an address, and rejects one that cannot be used as written. */
export function serverAddress(text: string): ServerAddress {
  if (!text.startsWith('https://')) {
    throw new Error(`the API server's address must start with https://, but is ${text}`);
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || url.username || url.password || url.search || url.hash) {
    throw new Error("the API server's address must be a host with an optional port and path, and nothing else");
  }
  return { url, prefix: url.pathname.replace(/\/+$/, '') };
}
