import { fieldsOf } from '../../../../runtime/invocation.ts';

/** No name in a store is longer, and refused names are logged unchanged. */
const maxNameLength = 300;

/** The names to remove: none in scheduled events. */
export function namesIn(event: unknown): string[] {
  const { remove = [] } = fieldsOf(event);
  if (Array.isArray(remove) && remove.every(isName)) return remove;
  throw new Error('remove must be a list of names, such as {"remove":["user/cosi-…"]}: nothing was done');
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && value.length <= maxNameLength;
}
