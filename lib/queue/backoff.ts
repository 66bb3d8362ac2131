const firstDelaySeconds = 1;
const maxDelaySeconds = 900;

/** The delay of a message after its n-th failed delivery: 1, 4, 16, 64, 256 … seconds, at most a quarter of an hour. */
export function retryDelaySeconds(receiveCount: number): number {
  return Math.min(maxDelaySeconds, firstDelaySeconds * 4 ** Math.max(0, receiveCount - 1));
}

/** The delays of a message that fails each time until it is a dead letter, together. */
export function allDelaysSeconds(maxReceives: number): number {
  let sum = 0;
  for (let receiveCount = 1; receiveCount < maxReceives; receiveCount += 1) sum += retryDelaySeconds(receiveCount);
  return sum;
}
