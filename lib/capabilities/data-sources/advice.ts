/**
 * What a user can do who is not to lose anything by it, however late they read it: an Event is read long after it was
 * written, when the claim may have a volume, and somebody's data in that.
 */

/** For a claim that has no volume: by the time this is read it may have one. */
export function createAnew(how: string): string {
  return `as long as this claim has no volume, delete it and create it again ${how}`;
}

/** For a claim that has a volume: what is in that may be deleted with the claim. */
export function createAnother(how: string): string {
  return `create another claim ${how}, and do not delete this one while anyone may need the data in its volume`;
}
