import type { PopulatingWorld } from '../../../lib/capabilities/data-sources/steps/populate-claim/world.ts';
import { resources } from '../../../lib/kubernetes/resources.ts';
import type { Step, World } from '../../../lib/reconcile/step.ts';
import type { Mutant } from '../capability.ts';
import { reconsideringNothingFor } from '../forgetful-routers.ts';
import { ignoringPreconditions } from '../ignoring-preconditions.ts';
import { changing, deciding, reading, seeing, toNothing } from '../mutating.ts';
import * as words from './mutated-words.ts';
import * as writes from './mutated-writes.ts';
import * as change from './mutations.ts';
import type { UserAction } from './user-actions.ts';

type DataSourceMutant = Mutant<World, UserAction>;

const revoking: UserAction[] = ['revoke grant', 'revoke grant late', 'grant other snapshot', 'grant other namespace'];
const letting: UserAction[] = ['delete prime'];
const remaking: UserAction[] = ['remake target namespace', 'remake target namespace', 'grant', 'make snapshot'];
const remakingSource: UserAction[] = ['remake source namespace', 'remake source namespace', 'grant', 'use claim'];
const replacing: UserAction[] = ['replace snapshot', 'delete snapshot', 'link other snapshot'];

/** Sequences that are wrong on purpose. If the simulation let one pass, its passing the right one would mean nothing. */
export const mutants: DataSourceMutant[] = [
  { name: 'snapshot-grant-ignored', step: ours(reading(change.withGrant)), actions: revoking },
  {
    name: 'snapshot-consent-remembered',
    isRare: true,
    step: ours(reading(change.withGrantAtHandOver)),
    actions: revoking,
  },
  {
    name: 'snapshot-consent-never-too-old',
    isRare: true,
    step: ours(change.takingLong),
    actions: ['revoke grant late'],
  },
  { name: 'snapshot-told-without-grant', step: ours(seeing(change.withGrantOfNothing)), actions: ['delete snapshot'] },
  {
    name: 'grant-for-any-namespace-of-the-name',
    step: ours(reading(change.asIfAlways('namespace'))),
    actions: remaking,
  },
  {
    name: 'wish-for-any-namespace-of-the-name',
    step: ours(reading(change.asIfAlways('sourceNamespace'))),
    actions: remakingSource,
  },
  { name: 'content-goes-with-copy', step: ours(changing(makes('contentCopy'), writes.withPolicyDelete)) },
  { name: 'claim-not-held', step: ours(deciding(change.withoutHold)), actions: ['delete claim', 'make claim'] },
  {
    name: 'prime-not-held',
    isRare: true,
    step: ours(changing(makes('prime'), writes.unheld)),
    actions: ['delete prime', 'make free volume'],
  },
  {
    name: 'copies-not-reconsidered',
    router: reconsideringNothingFor(resources.claim),
    actions: ['delete claim', 'make claim'],
  },
  { name: 'prime-without-source', step: ours(changing(makes('prime'), writes.withoutSource)) },
  { name: 'stray-volume-handed-over', step: ours(seeing(change.asProvisioned)), actions: ['make free volume'] },
  { name: 'stray-volume-not-secured', step: ours(deciding(change.withoutSecuring)), actions: ['make free volume'] },
  { name: 'stray-volume-not-freed', step: ours(changing(writes.frees, toNothing)), actions: ['make free volume'] },
  { name: 'volume-not-let-go', step: ours(changing(writes.letsGo, toNothing)), actions: replacing },
  { name: 'let-go-volume-handed-over', isRare: true, step: ours(change.takingWhatIsLetGo), actions: letting },
  { name: 'late-volume-kept', step: ours(reading(change.withoutLate)), actions: ['replace snapshot', 'driver hangs'] },
  {
    name: 'told-before-undone',
    step: ours(deciding(change.tellingFirst)),
    actions: ['driver hangs', 'driver hangs', 'revoke grant', 'delete link'],
  },
  { name: 'leftovers-kept', step: ours(deciding(change.keepLeftover)), actions: ['strip finalizer', 'delete claim'] },
  { name: 'content-copy-kept', step: ours(changing(removes('contentCopy'), toNothing)) },
  { name: 'copy-of-another-snapshot', step: ours(seeing(change.asCopyOfPresent)), actions: replacing },
  {
    name: 'torn-copies-used',
    step: ours(deciding(change.onTornCopies)),
    actions: ['delete snapshot copy', 'revoke grant', 'grant'],
  },
  { name: 'volume-for-any-claim-of-the-name', step: ours(changing(writes.handsOver, writes.withoutUid)) },
  { name: 'true-without-a-look', step: ours(seeing(change.asHandedOver)), actions: ['make free volume'] },
  { name: 'hold-never-dropped', step: ours(changing(writes.dropsHold, toNothing)) },
  { name: 'node-not-moved', step: ours(changing(writes.movesNode, toNothing)), actions: ['withdraw node'] },
  { name: 'snapshot-preconditions-ignored', cluster: ignoringPreconditions },
  {
    name: 'advises-to-delete-what-lay-about',
    step: only('check-source', words.advisingToDelete()),
    actions: ['make restore', 'make clone', 'make free volume', 'follow messages'],
  },
  {
    name: 'advises-to-delete-what-is-elsewhere',
    step: ours(words.advisingToDelete()),
    actions: ['make free volume', 'follow messages'],
  },
  {
    name: 'advises-without-a-condition',
    isRare: true,
    step: only('check-source', words.unconditionally()),
    actions: ['make restore', 'replace snapshot', 'delete snapshot'],
  },
  {
    name: 'restored-whatever-it-has',
    step: only('check-source', changing(writes.saysFalse, writes.sayingTrue)),
    actions: ['make restore', 'make clone', 'make free volume'],
  },
];

function makes(slot: string) {
  return (write: { slot: string; verb: string }) => write.slot === slot && write.verb === 'create';
}

function removes(slot: string) {
  return (write: { slot: string; verb: string }) => write.slot === slot && write.verb === 'delete';
}

function ours(mutate: (step: Step<PopulatingWorld>) => Step<PopulatingWorld>) {
  return only('populate-claim', mutate);
}

/** A mutant of one function leaves the others as they are. */
function only<W extends World>(name: string, mutate: (step: Step<W>) => Step<W>) {
  return (step: Step<World>): Step<World> =>
    step.name === name ? (mutate(step as unknown as Step<W>) as unknown as Step<World>) : step;
}
