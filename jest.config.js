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
  projects: [
    { ...shared, displayName: 'unit', testMatch: ['<rootDir>/test/{cli,functions,lib,events,tools}/**/*.test.ts'] },
    { ...shared, displayName: 'simulation', testMatch: ['<rootDir>/test/simulation/**/*.test.ts'] },
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
