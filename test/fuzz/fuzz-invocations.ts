import { seenBy } from './fuzz-messages.ts';
import type { Fuzzer, Fuzzing } from './fuzzer.ts';
import { type Invoked, invoked } from './invoked.ts';
import type { Called } from './stand-in-aws.ts';
import { Violation } from './violation.ts';

export function invocationsFor(name: string, fuzzer: Fuzzer): Fuzzing<unknown> {
  const about = invoked[name];
  if (!about) throw new Error(`nobody invokes ${name}`);
  return { given: about.events, count: () => 1, play: (event) => playEvent(event, fuzzer, about) };
}

async function playEvent(event: unknown, fuzzer: Fuzzer, about: Invoked): Promise<Record<string, number>> {
  const meant = about.isMeant(event);
  const outcome = await fuzzer.invoke(event, { getRemainingTimeInMillis: () => about.remainingMs });
  if ('error' in outcome) {
    if (meant === true) throw new Violation(`it failed: ${outcome.error.stack}`);
    judgeRefusal(outcome.error, fuzzer, about);
    return { refused: 1 };
  }
  if (meant === false) throw new Violation('it did not refuse what it cannot know the meaning of');
  judgeDeeds(fuzzer, about);
  return { done: 1 };
}

/** A refusal says what is wrong, and comes before anything is done. To have looked where one may look is no deed. */
function judgeRefusal(error: Error, fuzzer: Fuzzer, { mayCall }: Invoked): void {
  if (error instanceof TypeError || error instanceof RangeError) throw new Violation(`it fell over: ${error.stack}`);
  const { asked, called } = seenBy(fuzzer);
  const deeds = [
    ...Object.values(asked).flatMap((each) => each.map(({ method, url }) => `${method} ${url}`)),
    ...called.filter((each) => !isLook(each) || !mayCall(each)).map(({ service, action }) => `${service} ${action}`),
  ];
  if (deeds.length > 0) throw new Violation(`it was refused, and yet: ${deeds.join(', ')}`);
}

function isLook({ action }: Called): boolean {
  return action.startsWith('GET ');
}

function judgeDeeds(fuzzer: Fuzzer, { mayWrite, mayCall }: Invoked): void {
  const { asked, called } = seenBy(fuzzer);
  const all = Object.values(asked).flat();
  const write = all.find((each) => each.method !== 'GET' && !mayWrite(each));
  if (write) throw new Violation(`it wrote ${write.method} ${write.url}`);
  const call = called.find((each) => !mayCall(each));
  if (call) throw new Violation(`it called ${call.service}: ${call.action}`);
}
