import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** How much of the heap is still in use when everything was collected that can be. */
export function uncollectedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  return process.memoryUsage().heapUsed;
}
