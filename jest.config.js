import { fileURLToPath } from 'node:url';
import { patient } from './tools/processes/patience.ts';

const support = '<rootDir>/test/support';

/** Commands, functions and workers are started hundreds of times: each finds what node has compiled before. */
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('./node_modules/.cache/compiled', import.meta.url));

/** What tests call that is written in Go, tsc and esbuild, need not collect garbage that there is room for. */
process.env.GOGC ??= '400';

/** Node strips the types itself, so tests run the same sources that `node file.ts` does. */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': `${support}/strip-types.js` },
  modulePathIgnorePatterns: ['<rootDir>/.serverless', '<rootDir>/.build'],
  runner: `${support}/lanes-runner.ts`,
  setupFiles: [`${support}/comparing-selected.ts`],
};

/** The folders below `test` say how real the parts are that a test runs against. */
export const projects = {
  unit: {
    ...shared,
    displayName: 'unit',
    testMatch: ['<rootDir>/test/{cli,deployment,functions,lib,events,tools,security,support}/**/*.test.ts'],
  },
  simulation: {
    ...shared,
    displayName: 'simulation',
    testMatch: ['<rootDir>/test/{simulation,fuzz}/**/*.test.ts'],
  },
  cluster: {
    ...shared,
    displayName: 'cluster',
    testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
    globalSetup: `${support}/global-cluster-setup.ts`,
    globalTeardown: `${support}/global-cluster-teardown.ts`,
    setupFiles: [...shared.setupFiles, `${support}/borrowed-control-plane.ts`],
  },
  deploy: {
    ...shared,
    displayName: 'deploy',
    testMatch: ['<rootDir>/test/deploy/*.test.ts'],
    globalSetup: `${support}/global-deploy-setup.ts`,
    globalTeardown: `${support}/global-deploy-teardown.ts`,
    setupFiles: [...shared.setupFiles, `${support}/borrowed-stack.ts`],
  },
  /** Each starts, and destroys, what it needs itself. One of them shows that the machinery works; the soak has them all. */
  disasters: {
    ...shared,
    displayName: 'disasters',
    testMatch: ['<rootDir>/test/deploy/disasters/queue-gone.test.ts'],
    globalSetup: `${support}/global-disasters-setup.ts`,
  },
};

/** Everything that the gate has and `npm run soak` has as well. */
export const common = {
  testTimeout: patient(600_000),
  testSequencer: `${support}/slowest-first.ts`,
  // Most of what takes long waits, so more of it than there are cores goes on at a time. A cluster that was given is one.
  maxWorkers: process.env.LONGSHORE_KUBECONFIG ? 1 : 4,
  // What the modules of a test file take is not given back when it is over. Beyond this another process goes on.
  workerIdleMemoryLimit: '1GB',
  // A worker that is told to end does so at once, but on a busy machine that is not within half a second.
  workerGracefulExitTimeout: patient(30_000),
};

export default {
  ...common,
  projects: [projects.unit, projects.simulation, projects.cluster, projects.deploy, projects.disasters],
};
