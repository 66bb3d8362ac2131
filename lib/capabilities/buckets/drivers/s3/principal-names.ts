import { invalid } from './errors.ts';

/** Hyphens are left out of names, but a uid has only a few. */
const maxOwnerLength = 64;

/** The owner as spelled in names: IAM allows 64 characters, including the prefix. */
export function compactOwner(owner: string): string {
  const text = owner.length > maxOwnerLength ? '' : owner.replaceAll('-', '').toLowerCase();
  if (!/^[a-z0-9]{8,50}$/.test(text)) {
    throw invalid(`The owner ${JSON.stringify(owner.slice(0, maxOwnerLength))} is not a uid`);
  }
  return text;
}

/**
 * The prefix of the names of users and roles. CloudFormation names the functions' own roles after the deployment, and
 * no pattern that allows changing consumers may match one of those.
 */
const principalPrefix = 'cosi-';

/** The name of the consumer's user or role: permanently the owner's alone. */
export function principalName(owner: string): string {
  return `${principalPrefix}${compactOwner(owner)}`;
}

/** True if a name ends in an owner's uid, as all of ours do, and could be legal. */
export function isNamedAfterOwner(name: string): boolean {
  return /^[\w+=,.@-]{0,223}[0-9a-f]{32}$/.test(name);
}

/** The owner in a name, spelled as a uid. */
export function ownerNamedIn(name: string): string {
  const [, ...parts] = /(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(name) ?? [];
  return parts.join('-');
}

/** The path of all resources of all deployments. */
export const pathOfAll = '/longshore/';

/**
 * The path of all resources of a deployment, so that its own role can be confined to it. Characters that a path cannot
 * contain are replaced.
 */
export function principalPath(identity: string | undefined): string {
  const legal = identity?.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return legal ? `${pathOfAll}${legal}/` : pathOfAll;
}
