import { findBinaries } from './binaries.ts';
import type { ControlPlane, ControlPlaneOptions } from './control-plane-options.ts';
import { externalControlPlane } from './external.ts';
import { PortTaken } from './readiness.ts';
import { Starting } from './starting.ts';

const attempts = 5;

/** Starts a new control plane: empty, on the loopback interface only, and ended with this process. */
export async function startControlPlane(options: ControlPlaneOptions = {}): Promise<ControlPlane> {
  const given = process.env.LONGSHORE_KUBECONFIG;
  if (given && !options.own) return externalControlPlane(given);
  const progress = options.progress ?? (() => {});
  const binaries = await findBinaries({ progress });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const started = await new Starting(binaries, options).start();
      progress(`The control plane (${started.version}) is ready at ${started.server}`);
      return started;
    } catch (error) {
      if (!(error instanceof PortTaken) || attempt === attempts) throw error;
    }
  }
}
