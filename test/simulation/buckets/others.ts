import { Violation } from '../capability.ts';
import type { GatedStore } from './gated-store.ts';
import { theirs } from './objects.ts';

const tags = [
  { Key: 'longshore.dev/owner', Value: theirs.uid },
  { Key: 'longshore.dev/cluster', Value: 'test' },
  { Key: 'longshore.dev/deployment', Value: theirs.identity },
];

/** What another deployment of the account has made for a cluster of the same name. */
export function addTheirs({ store }: GatedStore): void {
  store.addBucket(theirs.bucket, { region: 'eu-central-1', tags });
  store.put(theirs.bucket, 'sunset');
  const user = store.addUser(theirs.user, tags, `/longshore/${theirs.identity}/`);
  user.keys.push({ id: 'AKIATHEIRS', secret: 'theirs', isActive: true });
}

/** Nobody but themselves may change what is theirs, or let anybody in. */
export function checkTheirs({ store }: GatedStore): void {
  if (!store.bucket(theirs.bucket)?.versions.some(({ key }) => key === 'sunset'))
    throw new Violation('data of another deployment is lost');
  const user = store.users.find(({ name }) => name === theirs.user);
  if (user?.keys.length !== 1) throw new Violation('keys of another deployment have changed');
  const intruder = store.users.find(({ name, policies }) => {
    return name !== theirs.user && [...policies.values()].some((policy) => policy.includes(theirs.bucket));
  });
  if (intruder) throw new Violation(`${intruder.name} may use a bucket of another deployment`);
  if (user.policies.size > 0) throw new Violation('a user of another deployment is given something');
}
