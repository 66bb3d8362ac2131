import type { Deployment } from '../lib/recovery/deployment/deployment.ts';
import { UsageError } from './parse/usage-error.ts';

/**
 * The cluster that is meant, as the deployment calls it. A message about one that it does not know would only become a dead
 * letter, so a name that cannot be right is refused before anything is sent.
 */
export function requestedCluster(named: string | undefined, { name, clusters }: Deployment): string {
  const known = clusters?.join(', ');
  if (named !== undefined) {
    if (clusters?.includes(named) === false) {
      throw new UsageError(`${name} has no cluster ${JSON.stringify(named)}; it has ${known}`);
    }
    return named;
  }
  const [only, ...others] = clusters ?? [];
  if (only !== undefined && others.length === 0) return only;
  throw new UsageError(`no cluster given: use --cluster${known === undefined ? '' : ` with one of ${known}`}`);
}
