import { ApiException } from '@kubernetes/client-node';

/** The policy's own words. */
export async function refusalOf(attempt: Promise<unknown>): Promise<string | undefined> {
  const error = await attempt.then(
    () => new Error('nothing was refused'),
    (reason: Error) => reason,
  );
  if (!(error instanceof ApiException)) throw error;
  return JSON.parse(error.body).message.split(' denied request: ')[1];
}
