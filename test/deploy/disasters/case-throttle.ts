import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { GetFunctionConfigurationCommand, UpdateFunctionConfigurationCommand } from '@aws-sdk/client-lambda';
import type { TestStack } from '../../support/deployed-stack.ts';

/** An AWS that can be told to answer nobody's calls but by asking for fewer. */
export interface Throttle {
  readonly endpoint: string;
  isThrottling: boolean;
  /** How many calls it has refused, by service. */
  readonly refused: Record<string, number>;
  stop(): Promise<void>;
}

/** Stands between the functions and the local AWS, which never throttles. */
export async function startThrottle(target: string): Promise<Throttle> {
  const refused: Record<string, number> = {};
  const state = { isThrottling: false };
  const server = createServer((incoming, answer) => {
    const service = serviceOf(incoming);
    if (!state.isThrottling) return passOn(incoming, answer, target);
    refused[service] = (refused[service] ?? 0) + 1;
    incoming.resume().once('end', () => refuse(service, answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const stop = () => {
    server.closeAllConnections();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  };
  return Object.assign(state, { endpoint: `http://127.0.0.1:${port}`, refused, stop });
}

/** Every signature says for which service it is. */
function serviceOf({ headers }: IncomingMessage): string {
  return /\/([a-z0-9-]+)\/aws4_request/.exec(headers.authorization ?? '')?.[1] ?? 'unknown';
}

function passOn(incoming: IncomingMessage, answer: ServerResponse, target: string): void {
  const { method, url = '/', headers } = incoming;
  const outgoing = request(new URL(url, target), { method, headers }, (found) => {
    answer.writeHead(found.statusCode ?? 502, found.headers);
    found.pipe(answer);
  });
  outgoing.once('error', () => answer.destroy());
  incoming.pipe(outgoing);
}

/** In the words of each service. */
function refuse(service: string, answer: ServerResponse): void {
  const message = 'Rate exceeded';
  if (service === 's3') {
    answer.writeHead(503, { 'content-type': 'application/xml' });
    answer.end('<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>');
  } else if (service === 'iam') {
    answer.writeHead(400, { 'content-type': 'text/xml' });
    const error = `<Error><Type>Sender</Type><Code>Throttling</Code><Message>${message}</Message></Error>`;
    answer.end(`<ErrorResponse>${error}<RequestId>throttled</RequestId></ErrorResponse>`);
  } else {
    const name = service === 'sqs' ? 'com.amazonaws.sqs#RequestThrottled' : 'ThrottlingException';
    answer.writeHead(400, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': name });
    answer.end(JSON.stringify({ __type: name, message }));
  }
}

/** From now on all functions call AWS there. It also begins each of them anew, so that each has to read its credentials. */
export async function callAwsAt(endpoint: string, { lambda, stack }: TestStack): Promise<void> {
  for (const FunctionName of Object.values(stack.functionNames)) {
    const { Environment } = await lambda.send(new GetFunctionConfigurationCommand({ FunctionName }));
    const Variables = { ...Environment?.Variables, AWS_ENDPOINT_URL: endpoint };
    await lambda.send(new UpdateFunctionConfigurationCommand({ FunctionName, Environment: { Variables } }));
  }
}
