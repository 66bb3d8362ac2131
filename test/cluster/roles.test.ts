import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ClusterObject } from '../../lib/kubernetes/objects.ts';
import type { CsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { isSoak } from '../support/soak.ts';
import { stepsWith } from '../support/steps.ts';
import { ownControlPlane } from './case-control-plane.ts';
import { serveGrants } from './case-grants.ts';
import { untilEvents, untilReason } from './case-waits.ts';
import { failureOfForwarder } from './role-forwarder.ts';
import { functions, makeAccount, type Permission, permissions, refusalOf } from './role-permissions.ts';
import { failuresOfRequests } from './role-requests.ts';
import { leftOutByResync } from './role-resync.ts';
import { particular, scenarioFor, scenarios } from './role-scenarios.ts';
import { snapshotControlPlane, startSnapshots } from './role-snapshot-scenarios.ts';
import { Stage } from './role-stage.ts';

/** Its own control plane: on a shared one the functions of other tests would do what those without a permission cannot. */
const controlPlane = ownControlPlane(snapshotControlPlane);
/** No change and no event leads to it: what it needs is for the tests of the schedule by which it runs. */
const scheduled = ['sweep-buckets'];
const played = permissions.filter(({ function: name }) => !scheduled.includes(name));
const isRead = ({ verb }: Permission) => ['get', 'list', 'watch'].includes(verb);
/** The gate tries each permission to write, and for each function one to read; the soak tries all of them. */
const tried = played.filter((each) => {
  const firstRead = played.find((other) => other.function === each.function && isRead(other));
  return isSoak || !isRead(each) || each === firstRead;
});
const named = tried.map((each) => [`${each.function} needs ${each.name}`, each] as const);
const isOf = (kind: (permission: Permission) => boolean) => named.filter(([, each]) => kind(each));
const isForwarding = ({ function: name }: Permission) => name === 'forward';
const isResyncing = ({ function: name }: Permission) => name === 'resync';
const isRequesting = ({ function: name }: Permission) => name === 'request-bucket';
const isPopulating = ({ function: name }: Permission) => name === 'populate-claim';
const isAnyMark = ({ group }: Permission) => group === 'longshore.dev';
const isMark = (each: Permission) => isAnyMark(each) && !isPopulating(each);
/** It has nothing but the claim on which it could not write. */
const isOwnMark = (each: Permission) => isAnyMark(each) && isPopulating(each);
const isEvent = ({ verb, resource }: Permission) => verb === 'create' && resource === 'events';
/** What a function does only when it gives up, where nobody is left to be told that this has failed as well. */
const isLast = ({ function: name, verb, resource }: Permission) =>
  name === 'register-driver' && verb === 'patch' && resource === 'cosiregistrations';
const isOfStep = (each: Permission) =>
  ![isForwarding, isResyncing, isRequesting, isAnyMark, isEvent, isLast].some((isKind) => isKind(each));

let client: ClusterClient;
let stage: Stage;
let grants: ClusterObject;
let standIn: CsiStandIn;
beforeAll(async () => {
  client = controlPlane.client();
  // Whoever asks for a kind that the cluster lacks is not refused.
  grants = await serveGrants(client, 'v1');
  standIn = await startSnapshots(controlPlane.kubeconfig(), client);
});

test('there are roles for all functions and for nobody else, and each scenario is for a permission', () => {
  expect([...functions].sort()).toEqual(
    ['forward', 'resync', 'request-bucket', ...scheduled, ...stepsWith().map(({ name }) => name)].sort(),
  );
  const names = played.map((each) => `${each.function} needs ${each.name}`);
  expect(names).toEqual(expect.arrayContaining(Object.keys(particular)));
});

describe('the roles in manifests/rbac', () => {
  beforeAll(async () => {
    stage = new Stage(controlPlane.kubeconfig());
    await stage.start();
  });
  afterAll(async () => {
    await stage.stop();
    await standIn.stop();
    await client.delete(grants);
  });

  test.concurrent.each(Object.entries(scenarios))('nothing is refused when %s', async (_, scenario) => {
    const play = await stage.set(scenario, {}, 'is forbidden: User "system:serviceaccount:');
    await play.act();
    const refusals = [...play.lines, ...stage.log].filter((line) => /cannot|forbidden|denied|rejected/.test(line));
    expect(refusals).toEqual([]);
    for (const [part, reason] of Object.values(scenario.events)) {
      await untilEvents(client, play.scene.object(part), reason);
    }
  });

  test.concurrent.each(isOf(isForwarding))('%s', async (_, permission) => {
    const account = await makeAccount(client, permission);
    expect(await failureOfForwarder(controlPlane.kubeconfig(), account)).toContain(refusalOf(permission));
  });

  test.concurrent('a resync is refused nothing but Secrets', async () => {
    const leftOut = await leftOutByResync(controlPlane.kubeconfig(), 'resync');
    expect(leftOut.map(({ kind, isExpected }) => [kind, isExpected])).toEqual([['Secret', true]]);
  });

  test.concurrent.each(isOf(isResyncing))('%s', async (_, permission) => {
    const account = await makeAccount(client, permission);
    const leftOut = await leftOutByResync(controlPlane.kubeconfig(), account);
    expect(leftOut).toContainEqual(expect.objectContaining({ reason: expect.stringContaining(refusalOf(permission)) }));
  });

  test.concurrent('nothing is refused when events ask for buckets', async () => {
    expect(await failuresOfRequests(controlPlane.kubeconfig(), 'request-bucket')).toEqual([]);
  });

  test.concurrent.each(isOf(isRequesting))('%s', async (_, permission) => {
    const account = await makeAccount(client, permission);
    const failures = await failuresOfRequests(controlPlane.kubeconfig(), account);
    expect(failures).toContainEqual(expect.stringContaining(refusalOf(permission)));
  });

  test.concurrent.each(isOf(isOfStep))('%s', async (_, permission) => {
    const scenario = scenarioFor(permission);
    const refusal = refusalOf(permission);
    const play = await stage.set(scenario, { [permission.function]: await makeAccount(client, permission) }, refusal);
    await play.act();
    expect(play.lines).toContainEqual(expect.stringContaining(refusal));
  });

  test.concurrent.each(isOf(isEvent))('%s, and without it does its work untold', async (_, permission) => {
    const scenario = scenarioFor(permission);
    const told = scenario.events[permission.function];
    if (!told) throw new Error('the scenario has no Event of this function');
    const play = await stage.set(scenario, { [permission.function]: await makeAccount(client, permission) });
    await play.act();
    const [part, reasonOfEvent] = told;
    const events = await client.eventsAbout(play.scene.object(part));
    expect(events.map(({ reason }) => reason)).not.toContain(reasonOfEvent);
  });

  test.concurrent.each(isOf(isLast))('%s, and without it gives up untold', async (_, permission) => {
    const scenario = scenarioFor(permission);
    const accounts = { [permission.function]: await makeAccount(client, permission) };
    const play = await stage.set(scenario, accounts, 'DriverNameTaken: ');
    await play.act();
    const { metadata } = await client.until(play.scene.object('registration'));
    expect(metadata.annotations).toBeUndefined();
  });

  test.concurrent.each(isOf(isOwnMark))('%s, and without it makes nothing', async (_, permission) => {
    const scenario = scenarioFor(permission);
    const accounts = { [permission.function]: await makeAccount(client, permission) };
    const play = await stage.set(scenario, accounts, 'reject WriteRefused');
    await play.act();
    expect(play.lines).toContainEqual(expect.stringContaining('reject WriteRefused'));
    expect(play.lines.filter((line) => line.includes('write') && line.includes(' create '))).toEqual([]);
  });

  test.concurrent.each(isOf(isMark))(
    '%s, and without it says what the admission policy says',
    async (_, permission) => {
      const scenario = scenarioFor(permission);
      const play = await stage.set(scenario, { [permission.function]: await makeAccount(client, permission) });
      const acting = play.act();
      const { message } = await untilReason(play.client, play.scene.object(scenario.told), 'WriteRefused');
      expect(message).toContain('belongs to Longshore');
      play.end();
      await acting;
    },
  );
});
