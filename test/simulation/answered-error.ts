import { ClusterError } from '../../lib/kubernetes/errors.ts';

/**
 * An error as an API server answers it. The simulation has hundreds of thousands of them, and nobody asks where in it they
 * come from: so the stack, which takes long to collect, is left out.
 */
export function answeredError(...told: ConstructorParameters<typeof ClusterError>): ClusterError {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return new ClusterError(...told);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}
