import { sourceSecretNameOf, systemNamespace } from '../../lib/buckets/names.ts';
import type { BucketClass, BucketContent } from '../../lib/buckets/objects.ts';
import { decode } from '../../lib/buckets/secrets.ts';
import { type ClusterView, type Held, type PlacedContent, placeOf, type Views } from '../../lib/buckets/sweep/views.ts';
import type { Cluster } from '../../lib/cluster/cluster.ts';
import type { Secret } from '../../lib/cluster/objects.ts';
import { isLegalName, nameOf, resources } from '../../lib/cluster/resources.ts';
import type { Parameters } from '../../lib/drivers/driver.ts';
import { messageOf } from '../../lib/redaction.ts';

export interface Access {
  clusters: readonly string[];
  cluster(name: string): Promise<Cluster>;
}

/** What came of it, and what did not, each in a sentence. */
export interface Reading<Value> {
  value: Value;
  problems: string[];
}

export async function readViews({ clusters, cluster }: Access): Promise<Reading<Views>> {
  const read: ClusterView[] = [];
  const problems: Record<string, string> = {};
  for (const name of clusters) {
    try {
      read.push(await readView(await cluster(name)));
    } catch (error) {
      problems[name] = `The cluster ${name} could not be read, so nothing is called an orphan: ${messageOf(error)}`;
    }
  }
  return { value: { read, unread: Object.keys(problems) }, problems: Object.values(problems) };
}

async function readView(cluster: Cluster): Promise<ClusterView> {
  const [contents, classes] = await Promise.all([
    cluster.list<BucketContent>(resources.bucketContent, undefined),
    cluster.list<BucketClass>(resources.bucketClass, undefined),
  ]);
  return { cluster: cluster.name, contents, classes };
}

export async function readDriverSecret(
  { cluster }: Access,
  place: { cluster: string; name: string },
): Promise<Parameters> {
  if (!isLegalName(place.name)) return {};
  const secret = await readSecret(await cluster(place.cluster), place.name);
  return secret ? decode(secret) : {};
}

const atOnce = 10;

/** The key that each Secret holds, and never its secret half. */
export async function readHeld({ cluster }: Access, contents: readonly PlacedContent[]): Promise<Reading<Held>> {
  const held = new Map<string, string | undefined>();
  const problems = new Set<string>();
  for (let first = 0; first < contents.length; first += atOnce) {
    const reading = contents.slice(first, first + atOnce).map(async (placed) => {
      const { cluster: name, content } = placed;
      try {
        const secret = await readSecret(await cluster(name), sourceSecretNameOf(content));
        held.set(placeOf(placed), secret && decode(secret).AWS_ACCESS_KEY_ID);
      } catch (error) {
        problems.add(`Not all Secrets of the cluster ${name} could be read: ${messageOf(error)}`);
      }
    });
    await Promise.all(reading);
  }
  return { value: held, problems: [...problems] };
}

function readSecret(cluster: Cluster, name: string): Promise<Secret | undefined> {
  return cluster.get<Secret>(nameOf(resources.secret, systemNamespace, name));
}
