import { compileCache } from '../../tools/processes/compile-cache.ts';

/** For a process that is to know nothing of this one's environment but where programs are, and what it is given. */
export function bareEnvironment(given: Record<string, string> = {}): Record<string, string> {
  return { PATH: process.env.PATH ?? '', ...compileCache(), ...given };
}
