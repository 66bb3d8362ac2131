import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { nowMs } from '../clock.ts';
import { RoundTrip } from './round-trip.ts';
import { answerCall, type Sent } from './sqs-answers.ts';

/**
 * The stand-in for SQS: accepts messages and records when each arrived. Everything that costs time, such as parsing a
 * message, is left to the reader of the records. Its only argument is the port that it listens on.
 */

let arrived: (Sent & { at: number })[] = [];
let count = 0;
let keepsMessages = true;
const roundTrip = new RoundTrip();

const server = createServer((request, response) => {
  const at = nowMs();
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const text = Buffer.concat(pieces).toString('utf8');
    if (request.url?.startsWith('/control/')) control(request, response);
    else takeMessages(request, response, text, at);
  });
});
// A client's kept-alive connection must not be closed between two parts of a measurement.
server.keepAliveTimeout = 0;
server.listen(Number(process.argv[2]), '127.0.0.1');

function takeMessages(request: IncomingMessage, response: ServerResponse, text: string, at: number): void {
  const target = request.headers['x-amz-target'];
  const { status, body, sent } = answerCall(Array.isArray(target) ? target[0] : target, text);
  count += sent.length;
  if (keepsMessages) for (const { groupId, body: message } of sent) arrived.push({ at, groupId, body: message });
  roundTrip.answer(at, () => {
    const answer = JSON.stringify(body);
    const headers = { 'content-type': 'application/x-amz-json-1.0', 'content-length': Buffer.byteLength(answer) };
    response.writeHead(status, headers).end(answer);
  });
}

/** Returns the number of messages, or the messages from a position on, or resets with another round trip. */
function control(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  const number = (name: string) => Number(searchParams.get(name) ?? 0);
  switch (pathname) {
    case '/control/count':
      response.end(String(count));
      return;
    case '/control/records':
      response.end(JSON.stringify(arrived.slice(number('from'))));
      return;
    case '/control/reset':
      arrived = [];
      count = 0;
      keepsMessages = number('keeps') === 1;
      roundTrip.last(number('roundTripMs'));
      response.end();
      return;
    default:
      response
        .writeHead(404)
        .end('there are /control/count, /control/records?from= and /control/reset?roundTripMs=&keeps=');
  }
}
