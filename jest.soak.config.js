import { common, projects } from './jest.config.js';

/** `npm run soak`: the long versions of what the gate has in short; see test/support/soak.ts. */
process.env.LONGSHORE_SOAK = 'on';

const { simulation, cluster, deploy, disasters } = projects;

export default {
  ...common,
  maxWorkers: process.env.LONGSHORE_KUBECONFIG ? 1 : 2,
  projects: [
    simulation,
    {
      ...cluster,
      testMatch: ['<rootDir>/test/cluster/{commands-people,forwarder-killed,killed,run-killed,memory-*,roles}.test.ts'],
    },
    { ...deploy, testMatch: ['<rootDir>/test/deploy/{forwarder-chained,at-once,template}.test.ts'] },
    { ...disasters, testMatch: ['<rootDir>/test/deploy/disasters/*.test.ts'] },
  ],
};
