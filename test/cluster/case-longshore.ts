import { afterAll, beforeAll } from '@jest/globals';
import { type InProcess, runInProcess } from '../support/in-process.ts';
import { testKubeconfig } from './administrator.ts';

/** Longshore, in this process, for as long as the tests of a file run. */
export interface Longshore {
  /** A new forwarder lists everything: what waits for something that is not watched goes on then. */
  resync(): Promise<void>;
}

export function runLongshore(kubeconfig: () => string = testKubeconfig): Longshore {
  let running: InProcess | undefined;
  const start = async () => {
    running = await runInProcess(kubeconfig());
  };
  beforeAll(start);
  afterAll(() => running?.stop());
  return {
    resync: async () => {
      await running?.stop();
      await start();
    },
  };
}
