/**
 * `npm run soak` runs some of the gate's files at length: the same tests with the same parts, more of everything, and with
 * what takes minutes. Its name in the environment is set by jest.soak.config.js.
 */
export const isSoak = process.env.LONGSHORE_SOAK === 'on';

/** How much of something there is in the gate, and how much in the soak. */
export function lengthOf<T>({ gate, soak }: { gate: T; soak: T }): T {
  return isSoak ? soak : gate;
}
