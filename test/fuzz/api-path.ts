/** What a request path of the Kubernetes API names, read by the API's own grammar and not by the product's. */
export interface ApiPath {
  group: string;
  namespace: string | undefined;
  plural: string;
  /** Undefined where the whole collection is meant. */
  name: string | undefined;
  subresource: string | undefined;
}

/** Undefined for what no client of the API would ask for, such as a path with an escaped sign in it. */
export function readPath(url: string): ApiPath | undefined {
  const [path = '', query, ...rest] = url.split('?');
  if (rest.length > 0 || path.includes('%') || path.includes('#')) return undefined;
  if (query !== undefined && !/^((resourceVersion|fieldSelector|limit|continue)=[\w%.!=+*-]*(&|$))+$/.test(query))
    return undefined;
  const [empty, root, ...segments] = path.split('/');
  if (empty !== '' || segments.some((segment) => !isPlain(segment))) return undefined;
  const group = root === 'api' ? '' : root === 'apis' ? segments.shift() : undefined;
  const version = segments.shift();
  if (group === undefined || !/^v\d+((alpha|beta)\d+)?$/.test(version ?? '')) return undefined;
  const namespace = segments[0] === 'namespaces' && segments.length > 2 ? segments.splice(0, 2)[1] : undefined;
  const [plural, name, subresource, ...more] = segments;
  if (plural === undefined || more.length > 0) return undefined;
  return { group, namespace, plural, name, subresource };
}

/** A label of DNS, or several with dots between them. */
export function isPlain(segment: string): boolean {
  if (segment.length > 253) return false;
  return segment
    .split('.')
    .every((label) => /^[a-z0-9-]+$/.test(label) && !label.startsWith('-') && !label.endsWith('-'));
}
