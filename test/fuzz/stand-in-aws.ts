import { hash } from 'node:crypto';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { archived, listed } from './archive-answers.ts';
import { answerOfIam } from './iam-answers.ts';

export interface Called {
  /** `sqs`, `iam`, `s3` and so on, by what the request was signed for. */
  service: string;
  /** Of SQS and IAM the action; of S3 the method and what it is about. */
  action: string;
  parameters: Record<string, unknown>;
  wasRefused: boolean;
}

/** What SQS takes: the message with its attributes. */
const maxMessageLength = 1_048_576;

/** Everything of AWS that the handlers can reach, as far as HTTP goes. It keeps account of all that it was asked to do. */
export class StandInAws {
  readonly called: Called[] = [];
  private readonly server: Server;

  constructor() {
    this.server = createServer(async (incoming, outgoing) => {
      const called = read(incoming, await text(incoming));
      const { status = 200, type = 'application/x-amz-json-1.0', body } = answerOf(called);
      this.called.push({ ...called, wasRefused: status >= 300 });
      outgoing.writeHead(status, { 'content-type': type }).end(body);
    });
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
  }

  stop(): void {
    this.server.closeAllConnections();
    this.server.close();
  }

  get address(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

function read({ headers, method, url = '' }: IncomingMessage, body: string): Call {
  const service = /Credential=[^/]*\/\d+\/[^/]*\/([a-z0-9-]+)\//.exec(headers.authorization ?? '')?.[1] ?? 'unsigned';
  const target = String(headers['x-amz-target'] ?? '');
  if (target) return { service, action: target.replace(/^.*\./, ''), parameters: JSON.parse(body) };
  const form = Object.fromEntries(new URLSearchParams(body));
  if (form.Action) return { service, action: form.Action, parameters: form };
  return { service, action: `${method} ${url}`, parameters: {} };
}

type Call = Omit<Called, 'wasRefused'>;

interface HttpAnswer {
  status?: number;
  type?: string;
  body: string | Buffer;
}

function answerOf(called: Call): HttpAnswer {
  if (called.service === 'sqs') return answerOfSqs(called);
  if (called.service === 'iam') return { type: 'text/xml', body: answerOfIam(called) };
  return answerOfS3(called);
}

function answerOfS3({ action }: Call): HttpAnswer {
  const type = 'application/xml';
  if (action.includes('list-type=2')) return { type, body: listed(action) };
  if (!action.includes('x-id=GetObject')) return { type, body: noBuckets };
  const found = archived(action);
  return found ? { type: 'application/gzip', body: found } : { status: 404, type, body: noKey };
}

const noBuckets = '<ListAllMyBucketsResult><Buckets></Buckets></ListAllMyBucketsResult>';
const noKey = '<Error><Code>NoSuchKey</Code><Message>there is no such key</Message></Error>';

function answerOfSqs({ action, parameters }: Call): HttpAnswer {
  if (action === 'SendMessageBatch') return { body: JSON.stringify({ Successful: takenOf(parameters), Failed: [] }) };
  if (action !== 'SendMessage') return { body: '{}' };
  const { MessageBody, MessageAttributes } = parameters;
  const size = Buffer.byteLength(String(MessageBody)) + Buffer.byteLength(JSON.stringify(MessageAttributes ?? {}));
  if (size <= maxMessageLength) return { body: JSON.stringify({ MD5OfMessageBody: hash('md5', String(MessageBody)) }) };
  const body = JSON.stringify({
    __type: 'com.amazonaws.sqs#InvalidParameterValue',
    message: 'the message is too long',
  });
  return { status: 400, body };
}

function takenOf({ Entries = [] }: Record<string, unknown>): object[] {
  return (Entries as { Id: string; MessageBody: string }[]).map(({ Id, MessageBody }) => {
    return { Id, MessageId: Id, MD5OfMessageBody: hash('md5', MessageBody) };
  });
}
