import type { SQSClient } from '@aws-sdk/client-sqs';
import type { visibilityBy } from './visibility.ts';

/**
 * Postpones messages of one queue by making them invisible. A FIFO queue cannot delay single messages. The client is
 * loaded for the first one: most functions end before one of their messages fails.
 */
export function postponeOn(queueUrl: string | undefined, client?: SQSClient) {
  let loading: Promise<ReturnType<typeof visibilityBy>> | undefined;
  return async (receiptHandle: string, seconds: number): Promise<void> => {
    if (!queueUrl) return;
    loading ??= import('./visibility.ts').then(({ visibilityBy }) => visibilityBy(client));
    const makeInvisible = await loading;
    await makeInvisible(queueUrl, receiptHandle, seconds);
  };
}
