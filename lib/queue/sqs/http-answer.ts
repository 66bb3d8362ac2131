import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A whole HTTP response. */
export interface HttpAnswer {
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

/** SQS responds with some 200 bytes a message. */
const maxBytes = 1024 * 1024;

/** Sends the body of a request and reads the response to its end. */
export function readHttpAnswer(call: ClientRequest, body: string): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    call.on('response', (response) => collect(call, response, resolve, reject));
    call.on('error', reject);
    // A server that switches protocols sends neither a response nor an error.
    call.on('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Error('it responds with another protocol'));
    });
    // Plain ASCII is written without being encoded.
    call.end(body, Buffer.byteLength(body) === body.length ? 'latin1' : 'utf8');
  });
}

function collect(
  call: ClientRequest,
  response: IncomingMessage,
  resolve: (answer: HttpAnswer) => void,
  reject: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.length;
    chunks.push(chunk);
    if (length <= maxBytes) return;
    reject(new Error('its response is longer than any response of a queue'));
    call.destroy();
  });
  // Not with its own error, which is the same as that of a kept connection that was closed before the call.
  response.on('error', () => reject(new Error('its response was cut off')));
  response.on('end', () => {
    // A server that responds before it has read everything may never read the rest, and would block the next call.
    if (!call.writableFinished) call.destroy();
    const [first] = chunks;
    const bytes = chunks.length === 1 && first ? first : Buffer.concat(chunks);
    resolve({ status: response.statusCode ?? 0, headers: response.headers, body: bytes.toString('utf8') });
  });
}
