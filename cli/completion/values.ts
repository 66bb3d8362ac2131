import type { Typed } from './typed.ts';

/** A shell waits for it at each press of a key. */
const defaultMaxMs = 1_000;
const maxNames = 500;

interface Wanted {
  /** `--context`, or the name of an argument. */
  name: string;
  placeholder: string;
  /** What is there of the value. */
  given: string;
}

/** The values that are known without much ado. None where it fails, or a cluster takes long. */
export function valuesOf(wanted: Wanted, typed: Typed): Promise<string[]> {
  return valuesNow(wanted, typed).catch(() => []);
}

async function valuesNow({ name, placeholder, given }: Wanted, typed: Typed): Promise<string[]> {
  switch (name) {
    case '--context':
      return contexts(placeholder.includes('<cluster>=') ? given : '', typed);
    case '--kind':
    case 'kind':
      return kinds();
    case '--namespace':
      return namespaces(typed);
    case 'name':
      return names(typed);
    default:
      return [];
  }
}

async function contexts(given: string, { options }: Typed): Promise<string[]> {
  const { contextNames } = await import('../kubeconfig/find.ts');
  const [, cluster = ''] = /^([^=]+=)/.exec(given) ?? [];
  return (await contextNames(options.get('--kubeconfig'))).map((name) => `${cluster}${name}`);
}

async function kinds(): Promise<string[]> {
  const { resources } = await import('../../lib/kubernetes/resources.ts');
  return Object.values(resources).map(({ kind }) => kind.toLowerCase());
}

async function namespaces(typed: Typed): Promise<string[]> {
  return (await listed('/api/v1/namespaces', typed)).map(({ name }) => name);
}

/** `<namespace>/<name>`, or `<name>` where there is a namespace already or the kind has none. */
async function names(typed: Typed): Promise<string[]> {
  const [{ kindNamed }, { collectionPath }] = await Promise.all([
    import('../../lib/kubernetes/kind-names.ts'),
    import('../../lib/kubernetes/resources.ts'),
  ]);
  const resource = kindNamed(typed.args[0] ?? '');
  if (!resource) return [];
  const namespace = typed.options.get('--namespace');
  const all = await listed(collectionPath(resource, resource.namespaced ? namespace : undefined), typed);
  return all.map((each) => (each.namespace && !namespace ? `${each.namespace}/${each.name}` : each.name));
}

interface Metadata {
  name: string;
  namespace?: string;
}

const metadataOnly = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1';

/** Only where it is certain which cluster is meant. */
async function listed(path: string, { command, options, maxMs = defaultMaxMs }: Typed): Promise<Metadata[]> {
  if (!command.options.some(({ flags }) => flags === '--context <name>')) return [];
  const { openCluster } = await import('../connect/open.ts');
  const kubeconfig = options.get('--kubeconfig');
  const context = options.get('--context');
  const list = async () => {
    const { connection } = await openCluster({ kubeconfig, context });
    const call = { method: 'GET', path: `${path}?limit=${maxNames}`, accept: metadataOnly } as const;
    const { status, body } = await connection.sendForBytes(call).finally(() => connection.close());
    const { items } = JSON.parse(body.toString('utf8')) as { items: { metadata: Metadata }[] };
    return status === 200 ? items.map(({ metadata }) => metadata) : [];
  };
  // A program that gives out credentials may take longer than anybody waits, and is not waited for either.
  const late = new Promise<Metadata[]>((resolve) => setTimeout(resolve, maxMs, []).unref());
  return Promise.race([list(), late]);
}
