import { randomBytes } from 'node:crypto';
import { populatedConditionOf } from '../../lib/capabilities/data-sources/populated.ts';
import type { Claim, ClusterObject, DataSource } from '../../lib/kubernetes/objects.ts';
import {
  type ClaimParts,
  claimFrom,
  emptyClaim,
  provisionedClass,
  snapshotClass,
  snapshotOf,
} from '../../tools/csi-stand-in/objects.ts';
import { type CsiStandIn, startCsiStandIn } from '../../tools/csi-stand-in/stand-in.ts';
import { snapshotFrom, staticContent } from '../../tools/csi-stand-in/static-objects.ts';
import { link, snapshotGrant } from '../../tools/local/snapshot-objects.ts';
import type { ClusterClient } from '../support/cluster-client.ts';
import { until } from '../support/patience.ts';
import { linkSource, wanting } from './case-snapshot-sources.ts';
import { copiesOf, untilSaid } from './case-snapshot-waits.ts';
import { untilReady } from './case-snapshots.ts';
import { untilBound } from './case-waits.ts';
import type { Play, Scenario } from './role-play.ts';

/** The gate keeps what names a claim of another namespace, which nobody can ask for without it. */
export const snapshotControlPlane = {
  controllerQueriesPerSecond: 200,
  featureGates: { CrossNamespaceVolumeDataSource: true },
};

/** One driver is well and one is not; each has classes of its name. */
const [well, ill] = ['csi.well', 'csi.ill'];
const aheadMs = 10_000;

/** One for all scenarios: there is one controller of snapshots in a cluster. */
export async function startSnapshots(kubeconfigPath: string, client: ClusterClient): Promise<CsiStandIn> {
  const drivers = [
    { name: well, crossesNamespaces: true },
    { name: ill, listsSnapshots: false },
  ];
  const standIn = await startCsiStandIn(kubeconfigPath, { drivers, retryMs: 100 });
  standIn.failing(ill, true);
  for (const { name } of drivers) {
    await client.create(provisionedClass({ name, driver: name }));
    await client.create(snapshotClass({ name, driver: name }));
  }
  return standIn;
}

/** The two namespaces of one play, and the claims in them that get data. */
interface SnapshotScene {
  prod: string;
  test: string;
  /** Makes a claim that the scenario, or an Event, is about. */
  ask(client: ClusterClient, claim: Claim): Promise<Claim>;
}

interface Acting {
  events: Readonly<Record<string, readonly ['claim', string]>>;
  aheadMs?: number;
  act(play: Play, scene: SnapshotScene): Promise<void>;
}

function ofSnapshots({ events, aheadMs: ahead, act }: Acting): Scenario {
  const set: Scenario['set'] = async (client) => {
    const suffix = randomBytes(4).toString('hex');
    const [prod, test] = [`prod-${suffix}`, `test-${suffix}`];
    await Promise.all([prod, test].map((name) => client.createNamespace(name)));
    const asked: Claim[] = [];
    const ask: SnapshotScene['ask'] = async (each, claim) => {
      const made = await each.create(claim);
      asked.push(made);
      return made;
    };
    return {
      isAbout: ({ namespace = '', name }) =>
        [prod, test].includes(namespace) || asked.some((claim) => copiesOf(claim).prime.metadata.name === name),
      object: () => asked[0] as ClusterObject,
      ...(ahead === undefined ? {} : { aheadMs: ahead }),
      act: (play) => act(play, { prod, test, ask }),
    };
  };
  return { told: 'claim', events, set };
}

const claimByLink = (parts: ClaimParts) => wanting({ ...linkSource, name: 'backup' }, parts);

/** The claim prod/data, and the snapshot prod/backup of it. */
async function takeSnapshot(client: ClusterClient, prod: string) {
  const source = await client.create(emptyClaim({ namespace: prod, name: 'data', className: well }));
  await untilBound(client, source);
  return untilReady(client, await client.create(snapshotOf(source, 'backup', well)));
}

export const populated = ofSnapshots({
  events: { 'populate-claim': ['claim', 'Populated'] },
  act: async ({ client }, { prod, test, ask }) => {
    await takeSnapshot(client, prod);
    await client.create(link({ namespace: test, name: 'backup' }, { namespace: prod, name: 'backup' }));
    const claim = await ask(client, claimByLink({ namespace: test, name: 'copy', className: well }));
    await untilSaid(client, claim, 'NotGranted');
    await client.create(snapshotGrant({ namespace: prod, name: 'to-test' }, test));
    await untilSaid(client, claim, 'Populated');
    for (const copy of Object.values(copiesOf(claim))) await client.untilGone(copy);
  },
});

/** Also with what is left of it, which nobody but the copies' own key leads to. */
export const neverProvisioned = ofSnapshots({
  aheadMs,
  events: {},
  act: async (play, { prod, test, ask }) => {
    const { client } = play;
    const place = { namespace: prod, name: 'backup' };
    const content = staticContent({ name: `${prod}-backup`, driver: ill, handle: 'any', snapshot: place });
    await client.create(content);
    await untilReady(client, await client.create(snapshotFrom(content)));
    await client.create(link({ namespace: test, name: 'backup' }, place));
    await client.create(snapshotGrant({ namespace: prod, name: 'to-test' }, test));
    const claim = await ask(client, claimByLink({ namespace: test, name: 'copy', className: ill }));
    const { prime, content: copy } = copiesOf(claim);
    await client.until(prime);
    await untilTrouble(play, claim);
    await client.change(claim, { metadata: { finalizers: [] } });
    await client.delete(claim);
    await client.untilGone(claim);
    await play.resync();
    await client.untilGone(prime);
    await client.untilGone(copy);
  },
});

/** No change tells of what a provisioner says: each list of everything looks for it. */
async function untilTrouble(play: Play, claim: Claim): Promise<void> {
  const reasonNow = async () => populatedConditionOf(await play.client.until<Claim>(claim))?.reason;
  const isTold = async () => {
    if ((await reasonNow()) === 'ProvisioningFailed') return true;
    await play.deliverAgain('populate-claim');
    return false;
  };
  await until('the claim tells of its provisioner', isTold, { found: reasonNow });
}

export const checked = ofSnapshots({
  events: { 'check-source': ['claim', 'Restored'] },
  act: async ({ client }, { prod, test, ask }) => {
    const snapshot = await takeSnapshot(client, prod);
    const restored = { namespace: prod, name: 'restored', className: well };
    await untilSaid(client, await ask(client, claimFrom(snapshot, restored)), 'Restored');
    await client.create(cloneGrant(prod, test));
    const elsewhere: DataSource & { namespace: string } = {
      kind: 'PersistentVolumeClaim',
      name: 'data',
      namespace: prod,
    };
    const cloned = claimFrom(elsewhere, { namespace: test, name: 'cloned', className: well });
    // Before the cluster's controllers have bound it there is nothing else to say.
    await untilSaid(client, await untilBound(client, await client.create(cloned)), 'LeftToProvisioner');
    const dump = { apiGroup: 'dumps.example.com', kind: 'Dump', name: 'monday' };
    const unknown = claimFrom(dump, { namespace: test, name: 'unknown', className: well });
    await untilSaid(client, await client.create(unknown), 'PopulatorsUnknown');
  },
});

function cloneGrant(prod: string, test: string): ClusterObject {
  const { spec: _, ...grant } = snapshotGrant({ namespace: prod, name: 'clone' }, test);
  const claims = { group: '', kind: 'PersistentVolumeClaim' };
  return { ...grant, spec: { from: [{ ...claims, namespace: test }], to: [claims] } } as ClusterObject;
}
