/**
 * Advice that loses no data, however late it is read: by then the claim that an Event is about may have a volume with
 * data that someone needs.
 */

/** For a claim without a volume: by the time this is read it may have one. */
export function createAnew(how: string): string {
  return `as long as this claim has no volume, delete it and create it again ${how}`;
}

/** For a claim with a volume, whose data may be deleted with the claim. */
export function createAnother(how: string): string {
  return `create another claim ${how}, and do not delete this one while anyone may need the data in its volume`;
}
