/**
 * Replaces @aws-sdk/credential-provider-node in the bundles: Lambda always sets the credentials of the function's role
 * in the environment, so no other source is searched.
 */
export { fromEnv as defaultProvider } from '@aws-sdk/credential-provider-env';
