import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { resources } from '../../../lib/kubernetes/resources.ts';
import { messageIn, readEnvelope } from '../../../lib/queue/envelope.ts';
import { buildMessage, sentAgain } from '../../../lib/queue/message.ts';
import type { MessageParts, OutgoingMessage } from '../../../lib/queue/message-parts.ts';
import { LaterMessage, MalformedMessage } from '../../../lib/queue/unusable-message.ts';

const parts: MessageParts = {
  cluster: 'main',
  function: 'match-transfer',
  resource: resources.transferRequest,
  key: { namespace: 'stage', name: 'move' },
  cause: { uid: '5f0c9a3b-e817-4a07-8c22-7bd2e1234567', resourceVersion: '4711', type: 'update' },
  time: new Date('2026-03-01T12:00:00Z'),
};
const built = buildMessage(parts);
const event = JSON.parse(built.body);
const parseMessage = (body: string) => messageIn(readEnvelope(body));
const bodyWith = (fields: object) => JSON.stringify({ ...event, ...fields });

const names = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/);

test('a message is read as what it was built from', () => {
  const places = fc.record({ cluster: fc.string({ minLength: 1 }), namespace: names, name: names, uid: fc.string() });
  fc.assert(
    fc.property(places, ({ cluster, namespace, name, uid }) => {
      const { body } = buildMessage({ ...parts, cluster, key: { namespace, name }, cause: { ...parts.cause, uid } });
      const { apiVersion, kind } = resources.transferRequest;
      expect(parseMessage(body)).toEqual({
        cluster,
        resource: { apiVersion, kind },
        key: { namespace, name },
      });
    }),
  );
});

test('a message says that too many wait for the same, and nothing else is taken for that', () => {
  expect(parseMessage(buildMessage({ ...parts, isCrowded: true }).body).isCrowded).toBe(true);
  expect(buildMessage({ ...parts, isCrowded: false })).toEqual(built);
  for (const crowded of [false, 'true', 1, [true], null]) {
    expect(parseMessage(bodyWith({ crowded }))).toEqual(parseMessage(built.body));
  }
});

test('a message about an object without a namespace has none', () => {
  const { body } = buildMessage({ ...parts, resource: resources.volume, key: { name: 'volume-1' } });
  expect(parseMessage(body).key).toEqual({ name: 'volume-1' });
  expect(JSON.parse(body)).not.toHaveProperty('namespace');
});

test('a message is a CloudEvent that names its object and carries nothing else of it', () => {
  expect(event).toEqual({
    specversion: '1.0',
    id: '5f0c9a3b-e817-4a07-8c22-7bd2e1234567.4711.update',
    source: 'main',
    type: 'dev.knative.apiserver.ref.update',
    subject: '/apis/transfer.storage.k8s.io/v1alpha1/namespaces/stage/storagetransferrequests/move',
    time: '2026-03-01T12:00:00.000Z',
    apiversion: 'transfer.storage.k8s.io/v1alpha1',
    kind: 'StorageTransferRequest',
    namespace: 'stage',
    name: 'move',
    messageversion: 1,
    traceparent: '00-00000000000012678c227bd2e1234567-5f0c9a3be8174a07-01',
    datacontenttype: 'application/json',
    data: {
      apiVersion: 'transfer.storage.k8s.io/v1alpha1',
      kind: 'StorageTransferRequest',
      namespace: 'stage',
      name: 'move',
    },
  });
});

describe('its identifiers', () => {
  test('are the same whenever it is built', () => {
    const later = buildMessage({ ...parts, time: new Date(0) });
    expect(JSON.parse(later.body).id).toBe(event.id);
    expect([later.groupId, later.deduplicationId]).toEqual([built.groupId, built.deduplicationId]);
  });

  test('keep to the 128 characters that a queue allows, however long the names are', () => {
    const long = 'n'.repeat(253);
    const { groupId, deduplicationId } = buildMessage({
      ...parts,
      cluster: long,
      key: { namespace: long, name: long },
    });
    expect(Math.max(groupId.length, deduplicationId.length)).toBeLessThanOrEqual(128);
  });

  test('are not taken for a duplicate in another run, although the message is about the same change', () => {
    const replayed = buildMessage({ ...parts, runId: 'run-1' });
    expect(JSON.parse(replayed.body)).toMatchObject({ id: event.id, runid: 'run-1' });
    expect(replayed.deduplicationId).not.toBe(built.deduplicationId);
    expect(replayed.groupId).toBe(built.groupId);
  });

  const others: [string, Partial<MessageParts>][] = [
    ['key', { key: { namespace: 'stage', name: 'other' } }],
    ['cluster', { cluster: 'other' }],
  ];
  test.each(others)('put another %s into another lane', (_, other) => {
    const message = buildMessage({ ...parts, ...other });
    expect(message.groupId).not.toBe(built.groupId);
    expect(message.deduplicationId).not.toBe(built.deduplicationId);
  });

  test('tell the versions of an object apart, in the same lane', () => {
    const next = buildMessage({ ...parts, cause: { ...parts.cause, resourceVersion: '8' } });
    expect(next.deduplicationId).not.toBe(built.deduplicationId);
    expect(next.groupId).toBe(built.groupId);
  });
});

describe('what is no message is refused by its own words', () => {
  const rows: [string, string, string][] = [
    ['no JSON', '{', 'it is not JSON'],
    ['a list', '[]', 'it is not a JSON object'],
    ['null', 'null', 'it is not a JSON object'],
    ['no CloudEvent', '{}', 'it is not a CloudEvent'],
    [
      'another type of event',
      bodyWith({ type: 'dev.knative.apiserver.resource.add' }),
      'is not dev.knative.apiserver.ref',
    ],
    ['no source', bodyWith({ source: '' }), 'source is missing'],
    ['no kind', bodyWith({ kind: undefined }), 'kind is missing'],
    ['no API version', bodyWith({ apiversion: 1 }), 'apiversion is missing or not a string'],
    ['no name', bodyWith({ name: undefined }), 'name is missing'],
    ['a name that leads out of its place', bodyWith({ name: '../secrets' }), '"../secrets" is not a valid object name'],
    ['two dots in a row', bodyWith({ name: 'a..b' }), 'is not a valid object name'],
    ['a namespace with a slash', bodyWith({ namespace: 'a/b' }), 'is not a valid object name'],
    ['a namespace that is null', bodyWith({ namespace: null }), 'namespace is missing or not a string'],
    ['a name that is too long', bodyWith({ name: 'n'.repeat(254) }), 'is not a valid object name'],
  ];
  test.each(rows)('%s', (_, body, message) => {
    expect(() => parseMessage(body)).toThrow(MalformedMessage);
    expect(() => parseMessage(body)).toThrow(message);
  });

  const onlyMalformed = (body: string): void => {
    try {
      const { key } = parseMessage(body);
      expect(key.name).toMatch(/^[a-z0-9.-]+$/);
    } catch (error) {
      if (!(error instanceof MalformedMessage)) throw error;
    }
  };

  test('whatever text comes, nothing but a malformed message is thrown', () => {
    fc.assert(fc.property(fc.oneof(fc.string(), fc.json()), onlyMalformed));
  });

  test('whatever stands in the fields, nothing but a malformed message is thrown', () => {
    const anything = fc.oneof(fc.string(), fc.jsonValue());
    const fields = fc.record(
      {
        specversion: fc.oneof(fc.constant('1.0'), anything),
        type: anything,
        source: anything,
        name: anything,
        namespace: anything,
        kind: anything,
        apiversion: anything,
      },
      { requiredKeys: [] },
    );
    fc.assert(fc.property(fields, (some) => onlyMalformed(bodyWith(some))));
  });
});

describe('a message of another release', () => {
  test('is read as one of the first version where it does not say, as Knative and releases before do', () => {
    const { messageversion: _, traceparent: __, ...before } = event;
    expect(parseMessage(JSON.stringify(before))).toMatchObject({ cluster: 'main', key: { name: 'move' } });
  });

  test('is not called malformed where it is of a later version, because the later release can work on it', () => {
    expect(() => parseMessage(bodyWith({ messageversion: 2 }))).toThrow(LaterMessage);
  });

  test.each([0, -1, 1.5, '1', null, {}])('is malformed where its version is %j', (messageversion) => {
    expect(() => parseMessage(bodyWith({ messageversion }))).toThrow(MalformedMessage);
  });
});

test.each([
  '',
  7,
  '00-0-0-01',
  `00-${'0'.repeat(32)}-${'1'.repeat(16)}-01`,
  `00-${'1'.repeat(32)}-${'0'.repeat(16)}-01`,
])('a message is worked on without a trace where it has %j for one', (traceparent) => {
  const envelope = readEnvelope(bodyWith({ traceparent }));
  expect(envelope.origin).not.toHaveProperty('traceparent');
  expect(messageIn(envelope)).toEqual(parseMessage(built.body));
});

describe('a message that is sent again', () => {
  test('says by which run, and is the same otherwise', () => {
    const again = sentAgain(built, 'run-1');
    expect(JSON.parse(again.body)).toEqual({ ...event, runid: 'run-1' });
    expect(again).toMatchObject({ function: built.function, groupId: built.groupId });
  });

  test('does not say any more that too many wait: that is for whoever knows it now', () => {
    const again = sentAgain(buildMessage({ ...parts, isCrowded: true }), 'a run');
    expect(again.body).toBe(sentAgain(built, 'a run').body);
  });

  test('is a duplicate of nothing but itself in the same run', () => {
    const ids = [built, sentAgain(built, 'run-1'), sentAgain(built, 'run-2')].map((each) => each.deduplicationId);
    expect(new Set(ids).size).toBe(3);
    expect(sentAgain(built, 'run-1').deduplicationId).toBe(ids[1]);
  });

  test.each<[string, Partial<OutgoingMessage>]>([
    ['another body', { body: 'garbage' }],
    ['another function', { function: 'match-claim' }],
    ['another group', { groupId: 'another' }],
  ])(
    'is no duplicate of what has %s and the same id: such a one, put before it, would have the queue drop it',
    (_, other) => {
      const ids = [built, { ...built, ...other }].map((each) => sentAgain(each, 'run-1').deduplicationId);
      expect(new Set(ids).size).toBe(2);
    },
  );

  test('stays as it is where it is no message, for whoever is to find out what it was', () => {
    expect(sentAgain({ ...built, body: 'no JSON' }, 'run-1').body).toBe('no JSON');
  });
});
