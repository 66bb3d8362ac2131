import type { Decision } from '../../lib/reconcile/step.ts';
import { advance, courseOf, isBeyondReturn, ownSourceOnly } from '../../lib/transfers/advance.ts';
import { consented } from '../../lib/transfers/consent.ts';
import type { Course } from '../../lib/transfers/course.ts';
import { finish } from '../../lib/transfers/finish.ts';
import { fenceOf, recordOf } from '../../lib/transfers/marks.ts';
import { undo } from '../../lib/transfers/undo.ts';
import type { TransferWorld } from '../../lib/transfers/world.ts';

/** Carries on whatever transfer a volume is part of: forward while both sides want it or can no longer go back, else back. */
export function decide(world: TransferWorld, now: Date): Decision {
  const { request, source, target, volume } = world;
  if (!volume) return { do: 'done', reason: 'VolumeGone' };
  const course = courseOfVolume(world);
  const fence = fenceOf(source);
  if (fence?.undoing) return undo(world, course);
  if (course && recordOf(volume) && isBeyondReturn(world, course)) {
    return finish(ownSourceOnly(world, course), course, volume, now);
  }
  if (!fence && !recordOf(volume) && !target) return { do: 'done', reason: 'NoTransfer' };
  if (request?.status?.complete && !fence && !recordOf(volume)) return { do: 'done', reason: 'Complete' };
  if (consented(request, world.approval)) return advance(world, request, now);
  return fence || recordOf(volume) ? undo(world, course) : { do: 'done', reason: 'NoTransfer' };
}

/** The record is on the volume, where no user can write: it counts for more than what the request says. */
function courseOfVolume({ volume, request }: TransferWorld): Course | undefined {
  return recordOf(volume) ?? (request && courseOf(request));
}
