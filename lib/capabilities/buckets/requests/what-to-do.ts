import type { RefusalKind } from './reasons.ts';

/** What a person can do about each reason that is shown to people. */
export const toDoAboutRequests: Readonly<Record<RefusalKind, string>> = {
  Malformed: 'Send a new event, with what the reason asks for.',
  NotAllowed: 'Allow it in the parameter bucket-requests and deploy, then move the message back. Or delete it.',
  Conflict: 'Use another name. Or free the name, and move the message back.',
  ClassUnfit: 'Create the class, then move the message back.',
  Rejected: 'Fix what the message says, then move it back.',
  GivenUp: "Check the cluster and Longshore's rights in it, then move the message back.",
};
