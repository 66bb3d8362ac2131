import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Claim, ClusterObject, Volume } from '../../lib/kubernetes/objects.ts';
import type { Place } from '../../lib/kubernetes/places.ts';
import type { ClusterClient } from '../local/cluster-client.ts';
import { claim, storageClass, volume } from '../local/transfer-objects.ts';

export const className = 'local';
export const fileName = 'accounts.txt';
const contents = 'What the database wrote before it moved.\n';

/** The objects that the tour creates in the cluster, and removes from one that outlives it. */
export class TourObjects {
  readonly sources: Claim[] = [];
  private readonly client: ClusterClient;
  private readonly folder: string;
  private readonly made: ClusterObject[] = [];

  constructor(client: ClusterClient, folder: string) {
    this.client = client;
    this.folder = folder;
  }

  async prepare(namespaces: readonly string[]): Promise<void> {
    for (const name of namespaces) this.made.push(await this.client.createNamespace(name));
    this.made.push(await this.client.create(storageClass(className)));
  }

  /** A bound claim with a file on its volume. */
  async makeClaim(name: string, source: Place): Promise<{ volume: Volume; file: string }> {
    // The folder is removed with the local AWS, however this process ends.
    const path = join(this.folder, 'volumes', name);
    const file = join(path, fileName);
    await mkdir(path, { recursive: true });
    await writeFile(file, contents);
    const made = await this.client.create(volume({ name, className, path, claim: source }));
    this.made.push(made);
    const bound = await this.client.create(claim(source, className));
    this.sources.push(bound);
    await this.client.until<Claim>(bound, ({ status }) => status?.phase === 'Bound');
    return { volume: made, file };
  }

  async checkFile(file: string): Promise<void> {
    if ((await readFile(file, 'utf8')) !== contents) throw new Error(`${file} has changed`);
  }

  async remove(): Promise<void> {
    for (const object of this.made) await this.client.delete(object);
    for (const object of this.made) await this.client.untilGone(object);
  }
}
