import { describe, expect, test } from '@jest/globals';
import { matches } from '../../../../../../lib/capabilities/buckets/patterns.ts';
import type { BucketRequests, Permissions } from '../../../../../../lib/capabilities/buckets/requests/permissions.ts';
import { requestedChangeOf } from '../../../../../../lib/capabilities/buckets/requests/requested-change.ts';
import { by, creating, deleting, driverRole, eventIn, made, refusalIn, settings } from './samples.ts';

const wish = (body: string, by: BucketRequests = settings) => requestedChangeOf(eventIn(body), by);
const allowing = (permissions: Partial<Permissions>): BucketRequests => ({
  ...settings,
  permissions: { ...settings.permissions, ...permissions },
});

describe('what may be asked for', () => {
  const who = 'source "team.billing" of account "111122223333"';
  const how = "allow it with the deployment's parameter bucket-requests";
  const [permission] = settings.permissions.requests;
  const elsewhere = { ...permission, source: 'team.billing', clusters: ['*'], namespaces: ['lab'], classes: ['*'] };
  const inAccount = (account: string) => allowing({ requests: [{ ...elsewhere, namespaces: ['*'], account }] });

  test.each<[string, string, BucketRequests]>([
    ['what a pattern says', creating({ bucketClassName: 'slow-9' }), settings],
    [
      'what the second permission says',
      creating({ cluster: 'other', namespace: 'lab' }),
      allowing({ requests: [elsewhere] }),
    ],
    ['a deletion of whichever class', deleting(), settings],
    ['the account that is named', creating(), inAccount('111122223333')],
  ])('%s', (_, body, by) => {
    expect(wish(body, by)).toEqual(eventIn(body));
  });

  test.each<[string, string, string, BucketRequests]>([
    ['nothing is allowed', creating(), `${who} may not request anything`, allowing({ requests: [] })],
    [
      'the source is another',
      creating({}, { source: 'team' }),
      'source "team" of account "111122223333" may not request anything',
      settings,
    ],
    ['the account is another', creating(), `${who} may not request anything`, inAccount('444455556666')],
    [
      'the namespace is another',
      creating({ namespace: 'kube-system' }),
      `${who} may not request anything in namespace "kube-system" of cluster "main"`,
      settings,
    ],
    [
      'the cluster is another',
      deleting({ cluster: 'other' }),
      `${who} may not request anything in namespace "team-a" of cluster "other"`,
      settings,
    ],
    [
      'the class is another',
      creating({ bucketClassName: 'vast' }),
      `${who} may not request class "vast" there`,
      settings,
    ],
    [
      'the class is allowed elsewhere',
      creating({ bucketClassName: 'vast' }),
      `${who} may not request class "vast" there`,
      allowing({ requests: [...settings.permissions.requests, elsewhere] }),
    ],
  ])('not when %s', (_, body, message, by) => {
    expect(refusalIn(() => wish(body, by))).toBe(`NotAllowed: ${message}: ${how}`);
  });
});

describe('a bucket that somebody made', () => {
  test('is adopted where its name says so', () => {
    expect(wish(made('data-2026'))).toEqual({
      action: 'adopt',
      sender: { source: 'aws.s3', account: '111122223333', id: 'event-1', time: '2026-11-18T14:55:00.000Z' },
      cluster: 'main',
      namespace: 'team-a',
      name: 'data-2026',
      bucket: 'data-2026',
      bucketClass: 'existing',
      secretName: 'data-2026-credentials',
    });
  });

  test('is passed over when no adoption is for it, or it is told from another account', () => {
    expect(wish(made('logs'))).toEqual({ action: 'none', reason: 'no adoption rule matches a bucket of this name' });
    const adoptions = settings.permissions.adoptions.map((each) => ({ ...each, account: '444455556666' }));
    expect(wish(made('data-1'), allowing({ adoptions }))).toMatchObject({ action: 'none' });
  });

  const asDriverNames = 'data-0123456789abcdef0123456789abcdef';

  test('is passed over when our own driver made it, whatever it is called', () => {
    const passedOver = { action: 'none', reason: 'the driver of this deployment created the bucket' };
    expect(wish(made('data-1', { userIdentity: by(driverRole) }))).toEqual(passedOver);
    expect(wish(made(asDriverNames, { userIdentity: by(driverRole) }))).toEqual(passedOver);
  });

  test('is adopted when another made it, though the driver might have called it so', () => {
    expect(wish(made(asDriverNames))).toMatchObject({ action: 'adopt', bucket: asDriverNames });
    expect(wish(made(asDriverNames, { userIdentity: by(`${driverRole}-2`) }))).toMatchObject({ action: 'adopt' });
  });

  test('is refused when no Bucket can have its name', () => {
    expect(refusalIn(() => wish(made('data-_')))).toBe(
      'Malformed: bucket "data-_" cannot be adopted: its name is not valid for a Bucket',
    );
  });
});

describe('a pattern', () => {
  test.each([
    ['team-a', 'team-a', true],
    ['team-a', 'team-ab', false],
    ['*', '', true],
    ['team-*', 'team-', true],
    ['team-*', 'a-team-a', false],
    ['*-data', 'my-data', true],
    ['*-data', 'my-data-2', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-c', false],
    ['a*a', 'a', false],
    ['ab*bc', 'abc', false],
    ['a.c', 'abc', false],
  ])('%s of %j: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });
});
