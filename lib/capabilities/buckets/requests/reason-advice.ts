import type { Advice, Turn } from '../../../reconcile/explanations.ts';
import type { RefusalKind } from './reasons.ts';

const by =
  (turn: Turn) =>
  (todo: string): Advice => ({ turn, todo });
const [owner, administrator] = [by('owner'), by('administrator')];

/** What to do about each reason why an event is refused. */
export const requestAdvice: Readonly<Record<RefusalKind, Advice>> = {
  Malformed: owner('Send a new event, with what the reason asks for.'),
  NotAllowed: administrator(
    'Allow it in the parameter bucket-requests and deploy, then move the message back. Or delete it.',
  ),
  Conflict: owner('Use another name. Or free the name, and move the message back.'),
  ClassUnfit: administrator('Create the class, then move the message back.'),
  Rejected: owner('Fix what the message says, then move it back.'),
  GivenUp: administrator("Check the cluster and Longshore's permissions in it, then move the message back."),
};
