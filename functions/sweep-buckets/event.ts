/** The names of what is to be removed: none in the events of the schedule. */
export function namesIn(event: unknown): string[] {
  const remove = typeof event === 'object' && event !== null && 'remove' in event ? event.remove : [];
  if (Array.isArray(remove) && remove.every((name) => typeof name === 'string')) return remove;
  throw new Error('remove must be a list of names, such as {"remove":["user/cosi-…"]}: nothing was done');
}
