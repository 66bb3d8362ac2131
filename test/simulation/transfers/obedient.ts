import type { Claim } from '../../../lib/kubernetes/objects.ts';
import { parsePlace, samePlace } from '../../../lib/kubernetes/places.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { FakeCluster } from '../fake-cluster.ts';
import { place } from './objects.ts';
import type { Users } from './users.ts';

/** A user who does what a claim says, to the letter and without a thought: whatever comes of it, no data may be lost. */
export function followAdvice(cluster: FakeCluster, users: Users): void {
  for (const claim of cluster.all(resources.claim)) {
    const message = claim.status?.conditions?.find(({ type, status }) => type === 'Transferred' && status === 'False');
    if (message) follow(users, claim, message.message);
  }
}

function follow(users: Users, { metadata, status, spec }: Claim, message: string): void {
  const { namespace = '', name } = metadata;
  const isForUnbound = message.includes('if it is not bound, delete it');
  const isMeant = !isForUnbound || (status?.phase !== 'Bound' && !spec.volumeName);
  if (/\bdelete (it|this claim)\b/.test(message) && isMeant) {
    users.delete(resources.claim, namespace, name);
    users.accept(namespace, name, /it must request ([^;\s]+)/.exec(message)?.[1]);
  }
  const [, owner, key, value] =
    /claim (\S+\/\S+)(?: is not offered to this one\. Its owner can offer it with| must give that claim) the annotation (\S+): (\S+)$/.exec(
      message,
    ) ?? [];
  const of = parsePlace(owner);
  if (of && key && value) users.annotateOnce(of.namespace, of.name, key, value);
  const wanted = parsePlace(/no claim (\S+) accepts the volume/.exec(message)?.[1]);
  if (wanted && !samePlace(wanted, { namespace: place.source, name: 'data' }))
    users.accept(wanted.namespace, wanted.name);
  if (message.includes('offer it to a claim with another name in this namespace')) users.takeBackByAnother();
}
