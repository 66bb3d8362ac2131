import { setTimeout as pause } from 'node:timers/promises';

const pollMs = 50;

export async function until(what: string, condition: () => Promise<boolean>, withinMs = 60_000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadline) throw new Error(`waited in vain until ${what}`);
    await pause(pollMs);
  }
}
