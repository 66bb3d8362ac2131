/** A server that never comes to an end must not take the memory of whoever has other clusters to see to as well. */
const longestAnswerBytes = 64 * 1024 * 1024;

/** Whoever can ask for less at a time does so. */
export class AnswerTooLong extends Error {
  constructor() {
    super(`it has answered more than ${longestAnswerBytes} bytes`);
  }
}

/** All that a server answers, up to a limit. */
export async function wholeOf(response: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    if (length > longestAnswerBytes) throw new AnswerTooLong();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
