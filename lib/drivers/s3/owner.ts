import { invalid } from './errors.ts';

/** The owner as it is spelled in names: IAM allows 64 characters, some of which come before it. */
export function spelled(owner: string): string {
  const text = owner.replaceAll('-', '').toLowerCase();
  if (!/^[a-z0-9]{8,50}$/.test(text)) throw invalid(`The owner ${JSON.stringify(owner)} is no uid`);
  return text;
}

/** What the consumer's user or role is called: only the owner's, for all time. */
export function principalName(owner: string): string {
  return `longshore-${spelled(owner)}`;
}

/**
 * Below this path is all that a deployment makes, so that its own role can be confined to it. What a path cannot hold is
 * left out of it.
 */
export function principalPath(identity: string | undefined): string {
  const legal = identity?.replaceAll(/[^A-Za-z0-9._-]/g, '-');
  return legal ? `/longshore/${legal}/` : '/longshore/';
}
