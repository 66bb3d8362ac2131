import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { answer } from '../../../lib/admission-webhook/answer.ts';
import { policyNames } from '../../../lib/admission-webhook/mutating-policies.ts';
import { answerTo, claim, reviewOf } from './reviews.ts';

const accepting = claim({}, { transferAccept: 'prod/data' });

test('an answer names its request, allows it, and has the patch in base64', () => {
  const { status, type, body } = answerTo('hold-accepting-claims', reviewOf({ object: accepting }));
  expect([status, type]).toEqual([200, 'application/json']);
  expect(JSON.parse(body)).toEqual({
    apiVersion: 'admission.k8s.io/v1',
    kind: 'AdmissionReview',
    response: {
      uid: 'f0c1a8d2-0000-4000-8000-000000000001',
      allowed: true,
      patchType: 'JSONPatch',
      patch: expect.stringMatching(/^[A-Za-z0-9+/]+=*$/),
    },
  });
});

test('an answer without a patch has none', () => {
  const { body } = answerTo('hold-accepting-claims', reviewOf({ object: claim() }));
  expect(JSON.parse(body).response).toEqual({ uid: 'f0c1a8d2-0000-4000-8000-000000000001', allowed: true });
});

test('the path may have a prefix, and what is no policy is not found', () => {
  const body = Buffer.from(JSON.stringify(reviewOf({ object: accepting })));
  expect(answer('/longshore/hold-accepting-claims', body).status).toBe(200);
  for (const path of ['', '/', '/hold', '/toString', '/__proto__', '/hold-accepting-claims/']) {
    expect(answer(path, body)).toMatchObject({ status: 404, body: expect.stringContaining('/hold-accepting-claims') });
  }
});

test.each([
  { resource: { group: '', version: 'v1', resource: 'persistentvolumes' } },
  { subResource: 'status' },
  { operation: 'DELETE', object: null, oldObject: accepting },
])('what is not a claim that is written is left alone: %j', (request) => {
  const { status, body } = answerTo('hold-accepting-claims', reviewOf({ object: accepting, ...request }));
  expect([status, JSON.parse(body).response.patch]).toEqual([200, undefined]);
});

test.each<[string, string]>([
  ['nothing', ''],
  ['no JSON', '{"apiVersion": "admission.k8s.io/v1", '],
  ['no object', 'null'],
  ['too many values', `[${'[],'.repeat(300_000)}[]]`],
  ['too deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`],
  ['another kind', JSON.stringify({ ...reviewOf({ object: accepting }), kind: 'Review' })],
  ['an older version', JSON.stringify({ ...reviewOf({ object: accepting }), apiVersion: 'admission.k8s.io/v1beta1' })],
  ['no request', JSON.stringify({ ...reviewOf({}), request: undefined })],
  ['no uid', JSON.stringify(reviewOf({ uid: '', object: accepting }))],
  ['a long uid', JSON.stringify(reviewOf({ uid: 'x'.repeat(1_000), object: accepting }))],
  ['no claim', JSON.stringify(reviewOf({ object: null }))],
  ['a claim without a spec', JSON.stringify(reviewOf({ object: { metadata: {} } }))],
  [
    'annotations of another type',
    JSON.stringify(reviewOf({ object: { metadata: { annotations: { a: 1 } }, spec: {} } })),
  ],
  ['a change of nothing', JSON.stringify(reviewOf({ operation: 'UPDATE', object: accepting }))],
  ['an unknown operation', JSON.stringify(reviewOf({ operation: 'PATCH', object: accepting }))],
])('malformed input is refused: %s', (_, body) => {
  for (const policy of policyNames) {
    expect(answer(`/${policy}`, Buffer.from(body))).toMatchObject({ status: 400, type: 'text/plain' });
  }
});

test('no input throws, and the answer depends on nothing else', () => {
  const anything = fc.oneof(
    fc.json().map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
    fc
      .record({ metadata: fc.jsonValue(), spec: fc.jsonValue() })
      .map((object) => Buffer.from(JSON.stringify(reviewOf({ object })))),
  );
  fc.assert(
    fc.property(anything, fc.constantFrom(...policyNames), (body, policy) => {
      const first = answer(`/${policy}`, body);
      expect([200, 400]).toContain(first.status);
      expect(answer(`/${policy}`, body)).toEqual(first);
    }),
  );
});
