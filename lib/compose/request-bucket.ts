import { deadLettersTo } from '../capabilities/buckets/requests/refused-requests.ts';
import { createRequestHandler } from '../capabilities/buckets/steps/request-bucket/requests.ts';
import type { Handler } from '../reconcile/serve.ts';
import { type Config, ConfigError, readConfig } from '../runtime/config.ts';
import { runtimeFrom } from './serve.ts';

let handle: Handler | undefined;

/** Creates and deletes Buckets that AWS events request. */
export const handler: Handler = (event, invocation) => {
  handle ??= handlerFrom(readConfig());
  return handle(event, invocation);
};

function handlerFrom(config: Config): Handler {
  const { bucketRequests: settings } = config;
  if (!settings) {
    throw new ConfigError('LONGSHORE_DEAD_LETTERS_URL', 'is not set: refused requests are sent there');
  }
  return createRequestHandler(settings, { ...runtimeFrom(config), bury: deadLettersTo(settings.deadLettersUrl) });
}
