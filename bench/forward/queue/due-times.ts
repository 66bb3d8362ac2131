/** The number of responses that can be held at a time. */
export const waiting = 4_096;

/** The times at which responses are due, oldest first, in memory shared by two threads. */
export interface DueTimes {
  times: Float64Array<SharedArrayBuffer>;
  /** The number that have been added since the start. */
  added: Int32Array<SharedArrayBuffer>;
}

export function dueTimes(): DueTimes {
  return {
    times: new Float64Array(new SharedArrayBuffer(waiting * Float64Array.BYTES_PER_ELEMENT)),
    added: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)),
  };
}
