import { expect, test } from '@jest/globals';
import { plainError, plainRefusals } from '../../../cli/connect/plain-error.ts';
import { ClusterError, errorFromAnswer } from '../../../lib/kubernetes/errors.ts';

const user = 'User "system:serviceaccount:team-a:jane"';
const status = (code: number, reason: string, message: string) =>
  errorFromAnswer(code, JSON.stringify({ kind: 'Status', reason, message }));
const messageOf = (error: unknown) => (plainError(error) as Error).message;

test.each([
  [
    `buckets.cosi.io "photos" is forbidden: ${user} cannot delete resource "buckets" in API group "cosi.io" in the namespace "team-a"`,
    'you may not delete buckets in namespace team-a: ask an administrator of namespace team-a for the verb delete on buckets.cosi.io',
  ],
  [
    `persistentvolumes is forbidden: ${user} cannot list resource "persistentvolumes" in API group "" at the cluster scope`,
    'you may not list persistentvolumes in the whole cluster: ask a cluster administrator for the verb list on persistentvolumes',
  ],
  [
    `namespaces "longshore-system" is forbidden: ${user} cannot get resource "namespaces" in API group "" in the namespace "longshore-system"`,
    'you may not get namespaces in the whole cluster: ask a cluster administrator for the verb get on namespaces',
  ],
  [
    `the log: pods "a" is forbidden: ${user} cannot get resource "pods/log" in API group "" in the namespace "b"; and more`,
    'the log: you may not get pods/log in namespace b: ask an administrator of namespace b for the verb get on pods/log; and more',
  ],
])('%s', (said, plain) => {
  expect(plainRefusals(said)).toBe(plain);
  expect(messageOf(status(403, 'Forbidden', said))).toBe(plain);
});

test('what an admission policy says is left as it is, and so is the class of an error', () => {
  const refused = 'persistentvolumeclaims "db" is forbidden: the claim is offered';
  expect(plainError(status(403, 'Forbidden', refused))).toMatchObject({ class: 'rejected', message: refused });
  expect(plainError(status(401, 'Unauthorized', 'Unauthorized'))).toMatchObject({ class: 'unauthorized', status: 401 });
});

test('credentials that are not accepted come with what to do, and with what the server says beyond that', () => {
  expect(messageOf(status(401, 'Unauthorized', 'Unauthorized'))).toBe(
    'the API server does not accept the credentials, which may have expired: log in again, or ask whoever gives out kubeconfigs for a new one',
  );
  expect(messageOf(status(401, 'Unauthorized', 'the account is locked'))).toContain(
    'expired: the account is locked: log in',
  );
});

test.each([
  ['ECONNREFUSED', 'nothing answers at that address. Check the context, and whether the cluster runs'],
  ['ENOTFOUND', 'its name is not known here: check the context, and your network or VPN'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its certificate is not of the authority that the kubeconfig names.'],
])('a server that cannot be reached, with %s', (code, why) => {
  const cause = Object.assign(new Error(`connect ${code}`), { code });
  const text = 'the API server at https://api.example.com cannot be reached';
  expect(messageOf(new ClusterError('unreachable', `${text}: ${cause.message}`, undefined, cause))).toContain(
    `${text}: ${why}`,
  );
});

test('another cause is told as it is', () => {
  const error = new ClusterError('unreachable', 'cannot be reached: no answer in 15000 ms', undefined, new Error('x'));
  expect(plainError(error)).toBe(error);
  expect(plainError('text')).toBe('text');
});
