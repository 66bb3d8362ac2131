import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  socket: Socket;
}

/** Writes whatever answer a test is about; the count says how many calls came before. */
export type Script = (response: ServerResponse, received: Received, count: number) => void;

export interface StandIn {
  origin: string;
  queueUrl: string;
  received: Received[];
  close(): Promise<void>;
}

/** An SQS endpoint that misbehaves as told. */
export async function startStandIn(script: Script): Promise<StandIn> {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { url: path = '', headers, socket } = request;
      const call = { path, headers, body: Buffer.concat(chunks).toString('utf8'), socket };
      received.push(call);
      script(response, call, received.length - 1);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { origin, queueUrl: `${origin}/111122223333/match.fifo`, received, close };
}

export function answerWith(status: number, content: unknown): Script {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.0' });
    response.end(typeof content === 'string' ? content : JSON.stringify(content));
  };
}

/** Takes every entry that it was sent. */
export const takeAll: Script = (response, received, count) => {
  const { Entries } = JSON.parse(received.body) as { Entries: { Id: string }[] };
  answerWith(200, { Successful: Entries.map(({ Id }) => ({ Id, MessageId: `m${Id}` })) })(response, received, count);
};
