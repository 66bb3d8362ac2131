/**
 * For the environment of a Node process that is to know nothing else of ours: where Node keeps what it has compiled, if it
 * does. A command starts in less than half of the time with it.
 */
export function compileCache(): Record<string, string> {
  const { NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE } : {};
}
