/** How many answers can be held at a time. */
export const waiting = 4_096;

/** When the answers are due, oldest first, in memory that two threads share. */
export interface DueTimes {
  times: Float64Array<SharedArrayBuffer>;
  /** How many have been added since the start. */
  added: Int32Array<SharedArrayBuffer>;
}

export function dueTimes(): DueTimes {
  return {
    times: new Float64Array(new SharedArrayBuffer(waiting * Float64Array.BYTES_PER_ELEMENT)),
    added: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}
