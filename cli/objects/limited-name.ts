import { createHash } from 'node:crypto';

const maxLength = 253;

/** A name that is put together of others may be longer than a name may be: then its end stands for the rest. */
export function limitedName(name: string): string {
  if (name.length <= maxLength) return name;
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 16);
  return `${name.slice(0, maxLength - hash.length - 1).replace(/[.-]+$/, '')}-${hash}`;
}
