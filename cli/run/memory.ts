/** Below that not even the smallest budget of answers is left beside Node itself. */
export const minMegabytes = 96;
export const maxMegabytes = 65_536;
/** More than that the answers of clusters of ordinary size do not need. */
const defaultMegabytes = 512;
const megabyte = 1024 * 1024;

/**
 * The memory to be content with: what was given, or otherwise what the operating system lets this process have, such as the
 * limit of a container.
 */
export function megabytesFor(given: number | undefined, constrainedBytes = process.constrainedMemory()): number {
  if (given !== undefined) return given;
  // Without a limit it is 0 or beyond all memory, according to the version of Node.
  const allowed = Math.floor(constrainedBytes / megabyte);
  return allowed > 0 ? Math.max(minMegabytes, Math.min(defaultMegabytes, allowed)) : defaultMegabytes;
}
