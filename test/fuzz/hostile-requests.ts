import fc, { type Arbitrary } from 'fast-check';
import { anyCharacter } from '../support/any-character.ts';
import { type Fields, garbled, spoiled, write } from './hostile-messages.ts';
import { enormousJson, hostileJson, hostileText } from './hostile-values.ts';
import { account, driverRole } from './surroundings.ts';

/** Events of EventBridge: right ones, and all that somebody could put onto the bus, or onto the queue itself. */

const envelope = {
  version: '0',
  id: 'event-1',
  'detail-type': 'Longshore Bucket Request',
  source: 'team.billing',
  account,
  time: '2026-11-19T04:00:00Z',
  region: 'eu-central-1',
  resources: [],
};
const place = { cluster: 'main', namespace: 'team-a' };
const creation = { action: 'create', ...place, name: 'reports', bucketClassName: 'fast' };
const deletion = { action: 'delete', ...place, name: 'former' };
const byAnalyst = { sessionContext: { sessionIssuer: { arn: 'arn:aws:iam::111122223333:role/analyst' } } };
const byDriver = { sessionContext: { sessionIssuer: { arn: driverRole } } };
const made = {
  eventSource: 's3.amazonaws.com',
  eventName: 'CreateBucket',
  userIdentity: byAnalyst,
  requestParameters: { bucketName: 'data-lake' },
};
const ofCloudTrail = { 'detail-type': 'AWS API Call via CloudTrail', source: 'aws.s3' };

/** What is asked for by nobody but a right event, so that whether it was done can be told. */
export const goodName = 'asked-for';
export const goodBody = eventOf({ ...creation, name: goodName }, { id: 'event-of-the-good' });

const notAllowed = [
  { namespace: 'kube-system' },
  { namespace: 'team-a/../../kube-system' },
  { namespace: 'longshore-system' },
  { cluster: 'edge' },
  { cluster: 'nowhere' },
  { cluster: '__proto__' },
  { bucketClassName: 'secret' },
  { bucketClassName: 'fast/../existing' },
  { secretName: '../secrets/token' },
  { bucketPrefix: 'xn--' },
  { finalizers: [] },
];

export const requestBodies: Arbitrary<string> = fc.oneof(
  { weight: 10, arbitrary: fc.constant(goodBody) },
  { weight: 4, arbitrary: fc.constantFrom(eventOf(creation), eventOf(deletion), eventOf(made, ofCloudTrail)) },
  { weight: 16, arbitrary: spoiledEvents(hostileJson) },
  { weight: 8, arbitrary: forgedSenders() },
  { weight: 8, arbitrary: fc.constantFrom(...notAllowed).map((detail) => eventOf({ ...creation, ...detail })) },
  { weight: 8, arbitrary: ofTheStore() },
  { weight: 8, arbitrary: fc.constantFrom(eventOf(creation), eventOf(made, ofCloudTrail)).chain(garbled) },
  { weight: 6, arbitrary: fc.oneof(hostileText, hostileJson, fc.string({ unit: anyCharacter, maxLength: 200 })) },
);

export const enormousRequestBodies: Arbitrary<string> = fc.oneof(enormousJson, spoiledEvents(enormousJson));

function eventOf(detail: object, other: object = {}): string {
  return JSON.stringify({ ...envelope, ...other, detail });
}

/** Fields of the envelope and of the detail are something else, left out, or there twice. */
function spoiledEvents(values: Arbitrary<string>): Arbitrary<string> {
  const events = fc.constantFrom(
    { of: envelope, detail: creation },
    { of: envelope, detail: deletion },
    { of: { ...envelope, ...ofCloudTrail }, detail: made },
  );
  return events.chain(({ of, detail }) => {
    const within = spoiled(textsOf(detail), values).map((fields) => [
      ...textsOf(of),
      ['detail', write(fields)] as const,
    ]);
    const around = spoiled([...textsOf(of), ['detail', JSON.stringify(detail)]], values);
    return fc.oneof(within, around).map(write);
  });
}

function textsOf(object: object): Fields {
  return Object.entries(object).map(([field, value]) => [field, JSON.stringify(value)]);
}

/** Whoever may call PutEvents chooses the source; the account is EventBridge's word. */
function forgedSenders(): Arbitrary<string> {
  const source = fc.oneof(
    fc.constantFrom('team.bil ling', 'Team.Billing', 'team', 'team.billing\0', 'aws.s3'),
    hostileText,
  );
  const other = fc.oneof(fc.constantFrom('999999999999', '11112222333', '', ' 111122223333'), hostileText);
  const type = fc.constantFrom(envelope['detail-type'], ofCloudTrail['detail-type'], 'Longshore Bucket request', '');
  return fc.oneof(
    source.map((name) => eventOf(creation, { source: name })),
    other.map((name) => eventOf(creation, { account: name })),
    fc
      .tuple(source, other, type)
      .map(([name, from, as]) => eventOf(deletion, { source: name, account: from, 'detail-type': as })),
  );
}

/** What CloudTrail would tell, and what somebody would have it tell. */
function ofTheStore(): Arbitrary<string> {
  const name = fc.oneof(
    hostileText,
    hostileText.map((text) => `data-${text}`),
    fc.constantFrom('data-lake', 'other'),
  );
  const from = fc.constantFrom(account, '999999999999');
  const detail = fc.constantFrom(
    {},
    { errorCode: 'AccessDenied' },
    { eventName: 'DeleteBucket' },
    { userIdentity: byDriver },
  );
  return fc.tuple(name, from, detail).map(([bucketName, sender, other]) => {
    return eventOf({ ...made, requestParameters: { bucketName }, ...other }, { ...ofCloudTrail, account: sender });
  });
}
