import { readdirSync, readFileSync } from 'node:fs';
import { loadAllYaml } from '@kubernetes/client-node';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import { groupOf } from '../../lib/kubernetes/resources.ts';
import type { ClusterClient } from '../support/cluster-client.ts';

/** Where each story is: a document, and a folder of its name with the files that it applies. */
const folder = new URL('../../docs/walkthroughs/', import.meta.url);

export function textOf(file: string): string {
  return readFileSync(new URL(file, folder), 'utf8');
}

export function objectsIn(file: string): ClusterObject[] {
  return loadAllYaml(textOf(file)) as ClusterObject[];
}

/** What the document of a story shows, however its lines are broken. */
export function shownIn(story: string): string {
  return textOf(`${story}.md`).replaceAll(/\s+/g, ' ');
}

/** What `kubectl create` and `kubectl apply` say of all that is in the files of a story. */
export function createdIn(story: string): string[] {
  const files = readdirSync(new URL(story, folder)).filter((name) => name.endsWith('.yaml'));
  return files.flatMap((file) => objectsIn(`${story}/${file}`).map(kubectlNameOf)).map((name) => `${name} created`);
}

function kubectlNameOf({ apiVersion, kind, metadata }: ClusterObject): string {
  const group = groupOf({ apiVersion });
  return `${kind.toLowerCase()}${group && `.${group}`}/${metadata.name}`;
}

/** Makes what the files of stories say. */
export function applying(client: () => ClusterClient) {
  const applyAll = async (file: string): Promise<ClusterObject[]> => {
    const made: ClusterObject[] = [];
    for (const object of objectsIn(file)) {
      if (object.kind === 'Namespace') made.push(await client().createNamespace(object.metadata.name));
      else made.push(await client().create(object));
    }
    return made;
  };
  return {
    /** Answers all of a file. */
    applyAll,
    /** Answers the last object of a file. */
    apply: async <T extends ClusterObject>(file: string) => (await applyAll(file)).at(-1) as T,
  };
}
