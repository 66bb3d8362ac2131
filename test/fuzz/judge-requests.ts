import { isPlain } from './api-path.ts';
import type { OddRecord } from './hostile-records.ts';
import { goodBody, goodName } from './hostile-requests.ts';
import type { Seen } from './judge-messages.ts';
import type { Called } from './stand-in-aws.ts';
import { account, deadLettersPath, queuePath } from './surroundings.ts';
import { Violation } from './violation.ts';
import { objectIn } from './well-formed.ts';

type Fields = Record<string, unknown>;

const buckets = (namespace: unknown) => `/apis/cosi.io/v1alpha1/namespaces/${namespace}/buckets`;
const classes = '/apis/cosi.io/v1alpha1/bucketclasses';

/** Where nobody but CloudTrail's word is needed: such an event may be passed over, and what it adopts is known beforehand. */
function bucketMade(event: Fields): string | undefined {
  if (event['detail-type'] !== 'AWS API Call via CloudTrail' || event.source !== 'aws.s3') return undefined;
  const { requestParameters } = fieldsIn(event.detail);
  return String(fieldsIn(requestParameters).bucketName);
}

/** What an event may have done to a cluster, as METHOD and path; undefined where it may not even be heard. */
export function writesAllowedBy(body: unknown): string[] | undefined {
  const event = objectIn(body);
  if (!event) return undefined;
  const bucket = bucketMade(event);
  if (bucket !== undefined) {
    const isAdopted = event.account === account && bucket.startsWith('data-') && isPlain(bucket);
    return isAdopted ? [`POST ${classes} existing-${bucket}`, `POST ${buckets('team-a')} ${bucket}`] : [];
  }
  const { action, cluster, namespace, name, bucketClassName: of } = fieldsIn(event.detail);
  const isHeard = event['detail-type'] === 'Longshore Bucket Request' && event.source === 'team.billing';
  const isThere = cluster === 'main' && isName(namespace) && namespace.startsWith('team-') && isName(name);
  if (!isHeard || event.account !== account || !isThere) return undefined;
  if (action === 'delete') return [`DELETE ${buckets(namespace)}/${name}`];
  const isOfClass = of === 'fast' || (isName(of) && of.startsWith('slow-'));
  return action === 'create' && isOfClass ? [`POST ${buckets(namespace)} ${name}`] : undefined;
}

export function judgeRequests(records: readonly OddRecord[], { failed, asked, called }: Seen): { buried: number } {
  const allowed = records.flatMap(({ body }) => writesAllowedBy(body) ?? []);
  const done = (asked.main ?? [])
    .filter(({ method }) => method !== 'GET')
    .map(({ method, url, body }) => {
      return method === 'POST' ? `POST ${url} ${fieldsIn(fieldsIn(body).metadata).name}` : `${method} ${url}`;
    });
  const forbidden = done.find((write) => !allowed.includes(write));
  if (forbidden) throw new Violation(`it wrote what no event of the batch may ask for: ${forbidden}`);
  if (asked.edge?.length) throw new Violation('it called a cluster that no event may name');
  const letters = lettersIn(called);
  const buried = letters.filter(({ wasRefused }) => !wasRefused);
  const refused = letters.filter(({ wasRefused }) => wasRefused);
  const isTaken = (id: unknown) => !refused.some((letter) => letter.id === id);
  const unburied = failed.find(
    (id) => isTaken(id) && records.some((each) => each.messageId === id && isText(each.body)),
  );
  if (unburied !== undefined) throw new Violation(`${unburied} comes again, although time cannot mend it`);
  for (const { messageId, body } of records) {
    const isAccountedFor = failed.includes(messageId) || buried.some((letter) => letter.id === messageId);
    if (!isAccountedFor && writesAllowedBy(body) === undefined) throw new Violation(`lost: ${messageId} is nowhere`);
  }
  const isAsked = records.some(({ body }) => body === goodBody);
  if (isAsked && !done.includes(`POST ${buckets('team-a')} ${goodName}`)) {
    throw new Violation('a good event was not done because of its neighbours');
  }
  judgeLetters(buried, records);
  return { buried: buried.length };
}

interface Letter {
  id: unknown;
  body: unknown;
  reason: unknown;
  /** One that the queue did not take, such as one that is too long. */
  wasRefused: boolean;
}

function lettersIn(called: readonly Called[]): Letter[] {
  return called.flatMap(({ service, action, parameters, wasRefused }): Letter[] => {
    const queue = String(parameters.QueueUrl);
    if (service === 'sqs' && action === 'ChangeMessageVisibility' && queue.endsWith(queuePath)) return [];
    if (service !== 'sqs' || action !== 'SendMessage' || !queue.endsWith(deadLettersPath)) {
      throw new Violation(`it called ${service}: ${action}`);
    }
    const { MessageBody: body, MessageDeduplicationId: id, MessageAttributes } = parameters;
    return [{ id, body, reason: fieldsIn(fieldsIn(MessageAttributes).reason).StringValue, wasRefused }];
  });
}

/** Whoever looks into the dead letters sees what it was, and why it is there. */
function judgeLetters(buried: readonly Letter[], records: readonly OddRecord[]): void {
  for (const { id, body, reason } of buried) {
    // Some records have no id by which they could be told from others.
    const bodies = records.filter(({ messageId }) => messageId === id).map((record) => record.body);
    if (bodies.every(isText) && !bodies.includes(body)) throw new Violation(`${id} was changed on its way`);
    if (typeof reason !== 'string' || reason === '') throw new Violation(`nobody says why ${id} is refused`);
  }
}

function fieldsIn(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** A queue knows no others, and so none could be put into another queue. */
function isText(body: unknown): boolean {
  return typeof body === 'string' && body !== '';
}

function isName(value: unknown): value is string {
  return typeof value === 'string' && isPlain(value);
}
