import { afterEach, beforeEach } from '@jest/globals';

/** What a function of that name finds in its environment that is invoked for two clusters, neither of which can be reached. */
export function withTwoClusters(functionName: string): void {
  const before = { ...process.env };
  beforeEach(() => {
    const access = { type: 'kubeconfig', from: 'file:/nowhere' };
    Object.assign(process.env, {
      LONGSHORE_FUNCTION: functionName,
      LONGSHORE_CLUSTERS: JSON.stringify([
        { name: 'main', access },
        { name: 'edge', access },
      ]),
      LONGSHORE_QUEUES: '{"match-claim":"http://127.0.0.1:1/match","rebind-volume":"http://127.0.0.1:1/rebind"}',
      AWS_REGION: 'eu-central-1',
    });
  });
  afterEach(() => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  });
}
