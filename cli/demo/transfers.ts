import { resources } from '../../lib/kubernetes/resources.ts';
import { acceptIn } from '../accept/accept.ts';
import { approveIn } from '../approve/approve.ts';
import { moveIn } from '../move/move.ts';
import { approveWords, requestFor } from '../move/transfer-objects.ts';
import { read, remove } from '../objects/objects.ts';
import { offerIn } from '../offer/offer.ts';
import {
  type BoundVolume,
  boundProgress,
  demoClaim,
  describeVolume,
  refuseOther,
  untilBound,
  volumeOf,
} from './claims.ts';
import { claimName as name, type Scene } from './scene.ts';

const { claim: claims } = resources;

/** A claim is created, and moves to the second namespace with its volume. */
export async function showMove(scene: Scene): Promise<BoundVolume> {
  const { first, second, timeoutMs } = scene;
  scene.chapter('A claim moves to another namespace, with its volume');
  const claim = await scene.applies(claims, demoClaim(scene, name));
  await scene.until(`claim ${first.namespace}/${name} is bound`, () => boundProgress(first, claim));
  const before = await volumeOf(first, name);
  scene.say(`\n${describeVolume(first, name, before)}\n`);

  const wish = { namespace: second.namespace, from: first.namespace, claim: name, toName: name };
  const request = requestFor(wish);
  const move = ['longshore', 'move', `pvc/${name}`, '--from', first.namespace, '-n', second.namespace, '--no-wait'];
  await scene.types(move, () => moveIn(second, wish, { from: first.namespace, wait: false }));
  const given = {
    requestName: request.metadata.name,
    targetNamespace: second.namespace,
    claim: name,
    toName: name,
    approval: request.spec.approvalName,
  };
  const options = { for: second.namespace, yes: true, wait: true, timeout: timeoutMs } as const;
  await scene.types([...approveWords(request), '--yes', '--wait'], () => approveIn(first, given, options));
  await untilBound(scene, second, name);
  const now = await volumeOf(second, name);
  scene.say(`\nThe same volume is bound in the other namespace, and no data was copied:\n`);
  scene.say(describeVolume(second, name, now));
  refuseOther(before, now);
  return now;
}

/** The claim goes back, by annotations alone. */
export async function showHandOver(scene: Scene, before: BoundVolume): Promise<void> {
  const { first, second, timeoutMs } = scene;
  const [from, to] = [second.namespace, first.namespace];
  scene.chapter('Its owner hands it over, by annotations');
  await scene.types(['longshore', 'offer', `pvc/${name}`, '--to', `${to}/${name}`, '-n', from, '--yes'], () =>
    offerIn(
      second,
      { claim: name, toNamespace: to, toName: name },
      { to: `${to}/${name}`, yes: true, wait: true, timeout: timeoutMs },
    ),
  );
  const places = { namespace: to, from, claim: name, toName: name };
  const accept = ['longshore', 'accept', `pvc/${name}`, '--from', from, '-n', to];
  await scene.types(accept, () => acceptIn(first, places, { from }));
  await scene.kubectl(['delete', `pvc/${name}`, '-n', from], async () => {
    const claim = await read(second, claims, from, name);
    if (claim) await remove(second, claims, claim);
  });
  const waiting = { from, wait: true, timeout: timeoutMs } as const;
  await scene.types([...accept, '--wait'], () => acceptIn(first, places, waiting));
  await untilBound(scene, first, name);
  const now = await volumeOf(first, name);
  scene.say(`\n${describeVolume(first, name, now)}`);
  refuseOther(before, now);
}
