import { isClusterError } from '../../lib/kubernetes/errors.ts';
import type { ObjectName } from '../../lib/kubernetes/resources.ts';
import type { ClusterApi } from '../connect/cluster-api.ts';
import type { ClusterOptions, NamespaceOptions } from '../connect/options.ts';
import { findObject, nameForPeople } from '../operate/find-object.ts';
import { findLeaders, type Leader } from '../operate/leader.ts';
import { openWithin } from '../operate/open-within.ts';
import { askServer } from '../operate/server-time.ts';
import { readTarget, targetText } from '../operate/target.ts';
import { note, say } from '../terminal/say.ts';
import { type Asked, askLeader } from './ask.ts';

export type RetryOptions = ClusterOptions & Pick<NamespaceOptions, 'namespace'>;

const limitMs = 30_000;

export async function retryObject(words: readonly string[], options: RetryOptions): Promise<void> {
  readTarget(words, options.namespace ?? 'default');
  await using cluster = await openWithin(options, limitMs);
  const { api } = cluster;
  const name = readTarget(words, options.namespace ?? cluster.namespace);
  await findObject(api, name);
  const leaders = await leadersOf(api);
  const answers = await Promise.all(leaders.map(async (leader) => ({ leader, asked: await ask(api, leader, name) })));
  for (const { leader, asked } of answers) {
    if (asked.outcome === 'taken') say(takenText(name, asked.messages));
    else if (leaders.length > 1) note(silentText(leader));
  }
  const [first] = answers;
  if (first && answers.every(({ asked }) => asked.outcome === 'silent')) throw new Error(silentText(first.leader));
}

async function leadersOf(api: ClusterApi): Promise<Leader[]> {
  const aheadMs = (await askServer(api).catch(() => undefined))?.aheadMs ?? 0;
  const leaders = await findLeaders(api, () => new Date(Date.now() + aheadMs)).catch(explainDenied);
  const leading = leaders.filter(({ state }) => state === 'leads');
  if (leading.length > 0) return leading;
  throw new Error(
    "no process is active, so nothing can be tried: start 'longshore run', which begins with everything unfinished",
  );
}

async function ask(api: ClusterApi, leader: Leader, name: ObjectName): Promise<Asked> {
  return askLeader(api, leader, name).catch(explainDenied);
}

function explainDenied(error: unknown): never {
  if (!isClusterError(error, 'denied')) throw error;
  throw new Error(
    'you may not ask the active process, which takes the verbs list, get and patch on leases.coordination.k8s.io in namespace longshore-system: ask a cluster administrator',
    { cause: error },
  );
}

export function takenText(name: ObjectName, messages: number): string {
  const what = nameForPeople(name);
  if (messages === 0) return `${what}: nothing is unfinished, and nothing failed, so nothing is tried.`;
  const option = name.namespace ? ` -n ${name.namespace}` : '';
  return `${what} is tried now. See what comes of it: longshore why ${targetText(name)}${option}`;
}

function silentText({ identity, holder }: Leader): string {
  return `${holder} is active as ${identity}, but takes no requests: it is a deployment on AWS, or an earlier release. Failing objects are tried again after their back-off`;
}
