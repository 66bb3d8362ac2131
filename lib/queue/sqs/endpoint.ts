import type { SQSClient } from '@aws-sdk/client-sqs';

/** The part of an SQS client that is used: its resolved configuration, from code or the environment. */
export type Configured = Pick<SQSClient, 'config'>;

/** The address of calls for a queue: the configured endpoint (such as a local AWS), otherwise the queue's own. */
export async function addressFor(queueUrl: string, { config }: Configured): Promise<URL> {
  const given = config.isCustomEndpoint ? await config.endpoint?.() : undefined;
  if (given) {
    const port = given.port === undefined ? '' : `:${given.port}`;
    return new URL(given.path, `${given.protocol}//${given.hostname}${port}`);
  }
  const fromEnvironment = config.ignoreConfiguredEndpointUrls ? undefined : await config.serviceConfiguredEndpoint?.();
  if (fromEnvironment) return new URL(fromEnvironment);
  if (!URL.canParse(queueUrl)) throw new Error(`the queue address ${queueUrl} is not a URL: correct LONGSHORE_QUEUES`);
  return new URL('/', queueUrl);
}
