/**
 * Takes the place of @aws-sdk/credential-provider-node in the bundles: Lambda always puts the keys of the function's role
 * into the environment, so nowhere else is looked.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
