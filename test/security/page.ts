import { readFileSync } from 'node:fs';

export function readPage(): string {
  return readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
}
