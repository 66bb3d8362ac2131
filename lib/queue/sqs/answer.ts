import type { HttpAnswer } from './http-answer.ts';
import { SendError } from './send-error.ts';

/** A message that was not accepted, and the reason. */
export interface Refusal {
  position: number;
  code: string;
  senderFault: boolean;
}

/** A batch that is too large remains too large. */
const tooLarge = /BatchRequestTooLong|RequestEntityTooLarge/;
/** AWS's own explanation is one line; after it may come the signed request, which holds the session token. */
const maxExplanationLength = 300;

/** The messages that were not accepted. Throws if the response has no results for single messages. */
export function readAnswer(answer: HttpAnswer, queueUrl: string, count: number): Refusal[] {
  const fields = parse(answer.body);
  if (answer.status !== 200) return refuseAll(answer, fields, queueUrl, count);
  const { Successful: taken, Failed: failed } = fields ?? {};
  if (!Array.isArray(taken) && !Array.isArray(failed)) {
    const problem = `${queueUrl} sent a response of ${answer.body.length} characters that is not one to SendMessageBatch`;
    throw new SendError(`${problem}: check that an SQS endpoint is configured`, { status: 200, code: 'Garbled' });
  }
  const positions = [...Array(count).keys()];
  // A message that the response leaves out may be lost; sending it again is harmless.
  const refusals = new Map(positions.map((position) => [String(position), refusal(position, 'NotMentioned', false)]));
  for (const entry of entriesOf(taken)) refusals.delete(String(entry.Id));
  for (const { Id, Code, SenderFault } of entriesOf(failed)) {
    const id = String(Id);
    if (positions[Number(id)] === undefined) continue;
    refusals.set(id, refusal(Number(id), String(Code ?? 'Unknown'), SenderFault === true));
  }
  return [...refusals.values()];
}

/** The number of messages waiting on a queue. Throws if the response does not contain it. */
export function readDepth(answer: HttpAnswer, queueUrl: string): number {
  const fields = parse(answer.body);
  if (answer.status !== 200) throw refusedCall(answer, fields, queueUrl);
  const { ApproximateNumberOfMessages: text } = (fields?.Attributes ?? {}) as Fields;
  const depth = typeof text === 'string' && text !== '' ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(depth) && depth >= 0) return depth;
  throw new SendError(`${queueUrl} does not report how many messages it has`, { status: 200, code: 'Garbled' });
}

function refuseAll(answer: HttpAnswer, fields: Fields | undefined, queueUrl: string, count: number): Refusal[] {
  const { status } = answer;
  const code = codeOf(answer, fields) ?? (status === 413 ? 'RequestEntityTooLarge' : 'Unknown');
  if (tooLarge.test(code)) return [...Array(count).keys()].map((position) => refusal(position, code, true));
  throw refusedCall(answer, fields, queueUrl);
}

function refusedCall(answer: HttpAnswer, fields: Fields | undefined, queueUrl: string): SendError {
  const { status } = answer;
  const code = codeOf(answer, fields) ?? 'Unknown';
  const explanation = String(fields?.message ?? fields?.Message ?? '').split('\n')[0] ?? '';
  const text = explanation.slice(0, maxExplanationLength) || 'no explanation';
  return new SendError(`${queueUrl} refused a call with status ${status}, ${code}: ${text}`, { status, code });
}

function refusal(position: number, code: string, senderFault: boolean): Refusal {
  return { position, code, senderFault };
}

/** The name alone: it may have a namespace before it and a URL after it. */
function codeOf({ headers }: HttpAnswer, fields: Fields | undefined): string | undefined {
  const inHeader = headers['x-amzn-errortype'] || headers['x-amzn-query-error'] || undefined;
  const named = fields?.__type ?? fields?.code ?? inHeader;
  return typeof named === 'string' ? named.replace(/^.*#/, '').replace(/[:;].*$/s, '') : undefined;
}

type Fields = Record<string, unknown>;

function parse(body: string): Fields | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Fields) : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(list: unknown): Fields[] {
  return Array.isArray(list) ? list.filter((entry) => typeof entry === 'object' && entry !== null) : [];
}
