import type { Connection } from './connection.ts';
import { errorFromAnswer } from './errors.ts';
import type { Resource } from './resources.ts';

/**
 * A kind in the newest version of ours that the cluster serves, or undefined when it serves none. Only a kind with older
 * versions is looked up: any other must be there. Each version is asked for its kinds, as a group may serve a version
 * without this kind in it.
 */
export async function asServed(connection: Connection, resource: Resource): Promise<Resource | undefined> {
  if (!resource.olderVersions) return resource;
  for (const apiVersion of [resource.apiVersion, ...resource.olderVersions]) {
    if (await serves(connection, apiVersion, resource.plural)) return { ...resource, apiVersion };
  }
  return undefined;
}

async function serves(connection: Connection, apiVersion: string, plural: string): Promise<boolean> {
  const answer = await connection.send({ method: 'GET', path: `/apis/${apiVersion}` });
  // In these words the server itself says that it has never heard of this version; a proxy has words of its own.
  if (answer.status === 404 && answer.body.trim() === '404 page not found') return false;
  if (answer.status !== 200) throw errorFromAnswer(answer.status, answer.body);
  const { resources } = JSON.parse(answer.body) as { resources: { name: string }[] };
  return resources.some(({ name }) => name === plural);
}
