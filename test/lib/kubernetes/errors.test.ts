import { expect, test } from '@jest/globals';
import { ClusterError, type ErrorClass, errorFromAnswer, isClusterError } from '../../../lib/kubernetes/errors.ts';

const status = (code: number, reason: string, message: string) =>
  JSON.stringify({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason, code });

const user = 'system:serviceaccount:longshore:match-transfer';
const claims = 'persistentvolumeclaims "copy"';
const rows: [string, number, string, ErrorClass][] = [
  ['a token that has expired', 401, status(401, 'Unauthorized', 'Unauthorized'), 'unauthorized'],
  [
    'a role that does not suffice',
    403,
    status(
      403,
      'Forbidden',
      `${claims} is forbidden: User "${user}" cannot create resource "persistentvolumeclaims" in API group "" in the namespace "stage"`,
    ),
    'denied',
  ],
  [
    'a quota that is used up',
    403,
    status(
      403,
      'Forbidden',
      `${claims} is forbidden: exceeded quota: claims, requested: persistentvolumeclaims=1, used: persistentvolumeclaims=1, limited: persistentvolumeclaims=1`,
    ),
    'rejected',
  ],
  [
    'a namespace that is being deleted',
    403,
    status(
      403,
      'Forbidden',
      `${claims} is forbidden: unable to create new content in namespace stage because it is being terminated`,
    ),
    'rejected',
  ],
  [
    'an admission policy',
    422,
    status(
      422,
      'Invalid',
      `${claims} is forbidden: ValidatingAdmissionPolicy 'sizes' with binding 'sizes' denied request: too large`,
    ),
    'rejected',
  ],
  [
    'an admission webhook',
    400,
    status(400, 'BadRequest', 'admission webhook "sizes.example.com" denied the request: too large'),
    'rejected',
  ],
  ['an object that is not there', 404, status(404, 'NotFound', `${claims} not found`), 'gone'],
  ["a proxy's own word that something is not there", 404, '<html><body>404 Not Found</body></html>', 'unreachable'],
  ["a gateway's own word for it, in JSON", 404, '{"message":"no Route matched"}', 'unreachable'],
  ['a path that the server does not know', 404, '404 page not found', 'unreachable'],
  ['a Status that is not about the object', 404, status(404, 'Unknown', 'no such resource'), 'unreachable'],
  ['a name that is taken', 409, status(409, 'AlreadyExists', `${claims} already exists`), 'exists'],
  [
    'an object that has changed',
    409,
    status(
      409,
      'Conflict',
      `Operation cannot be fulfilled on ${claims}: the object has been modified; please apply your changes to the latest version and try again`,
    ),
    'conflict',
  ],
  ['a resource version that is too old', 410, status(410, 'Expired', 'too old resource version: 1 (2)'), 'expired'],
  ['a body that is too large', 413, status(413, 'RequestEntityTooLarge', 'limit is 3145728'), 'rejected'],
  [
    'a field that is wrong',
    422,
    status(422, 'Invalid', 'PersistentVolumeClaim "copy" is invalid: spec.resources: Required value'),
    'rejected',
  ],
  ['too many calls', 429, status(429, 'TooManyRequests', 'The server has received too many requests'), 'throttled'],
  ['a server that failed', 500, status(500, 'InternalError', 'etcdserver: leader changed'), 'unreachable'],
  ['a server that is not ready', 503, 'apiserver not ready', 'unreachable'],
  ['a proxy that does not let us pass', 403, '<html><body>Forbidden</body></html>', 'unreachable'],
  ["a proxy's own conflict", 409, 'conflict', 'unreachable'],
  ["a proxy's own word that something is gone", 410, '<html><body>Gone</body></html>', 'unreachable'],
  ['a proxy that will not have the body', 413, '<html><body>Too Large</body></html>', 'unreachable'],
  ['a proxy that asks who we are', 401, '<html><body>Unauthorized</body></html>', 'unauthorized'],
  ['a proxy that is asked too much', 429, 'slow down', 'throttled'],
  ["a load balancer's own words", 502, '<html><body>Bad Gateway</body></html>', 'unreachable'],
  ['an answer that is JSON but no Status', 504, 'null', 'unreachable'],
];

test.each(rows)('%s', (_, code, body, expected) => {
  const error = errorFromAnswer(code, body);
  expect([error.class, error.status]).toEqual([expected, code]);
  expect(error.message).not.toBe('');
});

test("the server's message is the message of the error", () => {
  expect(errorFromAnswer(404, status(404, 'NotFound', 'no such claim')).message).toBe('no such claim');
});

test('an answer without words is told by its number', () => {
  expect(errorFromAnswer(503, '').message).toBe('the API server answered 503');
});

test('a long answer of a proxy is cut', () => {
  expect(errorFromAnswer(502, 'x'.repeat(10_000)).message).toHaveLength(500);
});

test('an error is asked for by its class, and no other error has one', () => {
  const error = new ClusterError('conflict', 'changed', 409);
  expect([isClusterError(error), isClusterError(error, 'gone', 'conflict'), isClusterError(error, 'gone')]).toEqual([
    true,
    true,
    false,
  ]);
  expect(isClusterError(new Error('changed'))).toBe(false);
});

const echo = 'POST /api/v1/secrets {"data":{"password":"c2VjcmV0"}}';

test.each([
  ['plain words', echo],
  ['JSON of its own', JSON.stringify({ message: echo })],
])('what a proxy says of an object that it was sent is not repeated: %s', (_, body) => {
  expect(errorFromAnswer(502, body, true)).toMatchObject({
    message: 'the API server answered 502',
    class: 'unreachable',
  });
  expect(errorFromAnswer(502, 'no healthy upstream').message).toBe('no healthy upstream');
});

test("the API server's own words are repeated in any case, without what looks like a credential", () => {
  const { message } = errorFromAnswer(403, status(403, 'Forbidden', 'denied: too large (Bearer abcdefgh1234)'), true);
  expect(message).toBe('denied: too large (Bearer [left out])');
});

test('an object that they quote as a text is none of what is repeated', () => {
  const object = JSON.stringify({ kind: 'Secret', data: { AWS_SECRET_ACCESS_KEY: 'c2VjcmV0' } });
  const { message } = errorFromAnswer(403, status(403, 'Forbidden', `denied: object ${JSON.stringify(object)}`), true);
  expect(message).toBe('denied: object "{\\"kind\\":\\"Secret\\",\\"data\\":[left out]}"');
});
