import type { FailingNow } from '../../lib/forwarder/leader-status.ts';
import { isClusterError } from '../../lib/kubernetes/errors.ts';
import { displayName, type ObjectName, objectPath, resources } from '../../lib/kubernetes/resources.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { relatedTo } from '../../lib/recovery/timeline/related-objects.ts';
import { timelineOf } from '../../lib/recovery/timeline/timeline.ts';
import type { Entry } from '../../lib/recovery/timeline/timeline-entry.ts';
import { errorText } from '../../lib/runtime/error-text.ts';
import type { AnyObject, ClusterApi } from '../connect/cluster-api.ts';
import { plainRefusals } from '../connect/plain-error.ts';
import { findObject } from '../operate/find-object.ts';
import { findLeaders, type Leader } from '../operate/leader.ts';
import type { LimitedCluster } from '../operate/open-within.ts';
import { askServer } from '../operate/server-time.ts';
import { type Verdict, verdictsOn } from '../operate/verdict.ts';

export interface RelatedObject {
  name: ObjectName;
  /** `hidden`: the caller may not read it. */
  state: 'found' | 'missing' | 'hidden';
  verdicts: Verdict[];
}

/** All that is known of one object. */
export interface Story {
  name: ObjectName;
  at: string;
  verdicts: Verdict[];
  /** What fails now of its messages. */
  failing: FailingNow[];
  /** Undefined if the caller may not read the leases. */
  leaders: Leader[] | undefined;
  related: RelatedObject[];
  entries: Entry[];
  problems: string[];
}

const maxRelated = 12;

export async function tellStory({ api, connection, name: cluster }: LimitedCluster, name: ObjectName): Promise<Story> {
  const view = askServer(api).catch(() => undefined);
  const object = await findObject(api, name);
  const aheadMs = (await view)?.aheadMs ?? 0;
  const now = () => new Date(Date.now() + aheadMs);
  const [leaders, related, timeline] = await Promise.all([
    findLeaders(api, now).catch(() => undefined),
    Promise.all(namesRelatedTo(name, object).map((each) => look(api, each))),
    timelineOf(name, { view: { cluster: new RestCluster(cluster, connection), connection } }),
  ]);
  const wanted = displayName(name);
  const failing = (leaders ?? [])
    .flatMap(({ state, status }) => (state === 'leads' ? (status?.failing ?? []) : []))
    .filter(({ kind, key }) => kind === name.resource.kind && key === wanted);
  return {
    ...{ name, at: now().toISOString(), verdicts: verdictsOn(name.resource, object), failing, leaders, related },
    entries: timeline.entries,
    // What may not be read is said of each related object.
    problems: timeline.problems.map(plainRefusals).filter((problem) => !problem.startsWith('you may not get ')),
  };
}

/** An object that is not as its definition says has no relations. Secrets are not read. */
function namesRelatedTo(name: ObjectName, object: AnyObject): ObjectName[] {
  try {
    const names = relatedTo(name, object as Parameters<typeof relatedTo>[1]);
    return names.filter(({ resource }) => resource !== resources.secret).slice(0, maxRelated);
  } catch {
    return [];
  }
}

async function look(api: ClusterApi, name: ObjectName): Promise<RelatedObject> {
  try {
    const object = await api.get(objectPath(name));
    if (!object) return { name, state: 'missing', verdicts: [] };
    return { name, state: 'found', verdicts: verdictsOn(name.resource, object) };
  } catch (error) {
    if (!isClusterError(error, 'denied')) throw new Error(errorText(error), { cause: error });
    return { name, state: 'hidden', verdicts: [] };
  }
}
