/**
 * The fields of the event that a function was invoked with, by a schedule or by hand: nothing, or a JSON object. Anything
 * else was meant for another function, and is refused before anything is done.
 */
export function fieldsOf(event: unknown): Record<string, unknown> {
  if (event === undefined || event === null) return {};
  if (typeof event === 'object' && !Array.isArray(event)) return event as Record<string, unknown>;
  throw new Error('the event must be a JSON object, or be left out: nothing was done');
}
