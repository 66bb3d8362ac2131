import { minors, newestMinor } from '../control-plane/versions.ts';

/** One run of jest, of those that `npm run soak` consists of. */
export interface Run {
  readonly title: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * The long versions of tests, and the cluster tests on the oldest and the newest server: on the oldest as it is, and with
 * the webhook in the place of the policies that it does not serve. A server that is given is the only one.
 */
export function runsOf(given: readonly string[], environment: Record<string, string | undefined>): Run[] {
  const long = { title: 'long versions', args: ['--config', 'jest.soak.config.js', ...given], environment: {} };
  if (environment.LONGSHORE_KUBECONFIG) return [long];
  const [oldest = newestMinor] = minors;
  const onServer = (minor: string, more: Record<string, string> = {}): Run => ({
    title: `cluster tests on Kubernetes ${minor}${more.LONGSHORE_TEST_ADMISSION ? ' with the webhook' : ''}`,
    args: ['--selectProjects', 'cluster', '--passWithNoTests', ...given],
    environment: { LONGSHORE_TEST_KUBERNETES: minor, ...more },
  });
  return [long, onServer(oldest), onServer(oldest, { LONGSHORE_TEST_ADMISSION: 'webhook' }), onServer(newestMinor)];
}
