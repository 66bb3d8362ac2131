import { invalid } from './errors.ts';

/** Hyphens do not count in names, but a uid has few of them. */
const maxOwnerLength = 64;

/** The owner as it is spelled in names: IAM allows 64 characters, some of which come before it. */
export function compactOwner(owner: string): string {
  const text = owner.length > maxOwnerLength ? '' : owner.replaceAll('-', '').toLowerCase();
  if (!/^[a-z0-9]{8,50}$/.test(text)) {
    throw invalid(`The owner ${JSON.stringify(owner.slice(0, maxOwnerLength))} is not a uid`);
  }
  return text;
}

/**
 * How the names of users and roles begin. CloudFormation names the functions' own roles after the deployment, and no
 * pattern that allows to change consumers may match one of those.
 */
const principalPrefix = 'cosi-';

/** What the consumer's user or role is called: only the owner's, for all time. */
export function principalName(owner: string): string {
  return `${principalPrefix}${compactOwner(owner)}`;
}

/** Whether a name ends in an owner's uid, as all do that we give, and could be one at all. */
export function isNamedAfterOwner(name: string): boolean {
  return /^[\w+=,.@-]{0,223}[0-9a-f]{32}$/.test(name);
}

/** The owner whom a name means, spelled as a uid is. */
export function ownerNamedIn(name: string): string {
  const [, ...parts] = /(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(name) ?? [];
  return parts.join('-');
}

/** Below this path is all that any deployment makes. */
export const pathOfAll = '/longshore/';

/**
 * Below this path is all that a deployment makes, so that its own role can be confined to it. What a path cannot hold is
 * left out of it.
 */
export function principalPath(identity: string | undefined): string {
  const legal = identity?.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return legal ? `${pathOfAll}${legal}/` : pathOfAll;
}
