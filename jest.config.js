/** Node strips the types itself, so tests run the same sources that `node file.ts` does. */
const shared = {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': '<rootDir>/test/support/strip-types.js' },
  modulePathIgnorePatterns: ['<rootDir>/.serverless', '<rootDir>/.build'],
};

/** Fast tests first; the folders below `test` say how real the parts are that a test runs against. */
export default {
  testTimeout: 180_000,
  // What the modules of a test file take is not given back when it is over. Beyond this another process goes on.
  workerIdleMemoryLimit: '1GB',
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/{cli,functions,lib,events,tools,security}/**/*.test.ts'],
    },
    { ...shared, displayName: 'simulation', testMatch: ['<rootDir>/test/{simulation,fuzz}/**/*.test.ts'] },
    {
      ...shared,
      displayName: 'cluster',
      testMatch: ['<rootDir>/test/cluster/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-cluster-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-cluster-teardown.ts',
    },
    {
      ...shared,
      displayName: 'deploy',
      testMatch: ['<rootDir>/test/deploy/**/*.test.ts'],
      globalSetup: '<rootDir>/test/support/global-deploy-setup.ts',
      globalTeardown: '<rootDir>/test/support/global-deploy-teardown.ts',
    },
  ],
};
