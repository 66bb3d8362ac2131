import { exitCodes } from '../exit-codes.ts';
import { printable } from '../terminal/printable.ts';
import type { Ending } from './follow.ts';
import type { User } from './user.ts';

interface Words {
  /** What has been achieved. */
  over: string;
  /** The object that stays, whatever happens to this command. */
  stays: string;
  /** The line that goes on with it. */
  again: string;
  /** The line that withdraws it, where there is one. */
  withdraw?: string | undefined;
  /** What it waited for last. */
  waitsFor?: string | undefined;
}

/** Tells how it ended, and answers the exit code. */
export function tellEnd(user: User, ending: Ending, { over, stays, again, withdraw, waitsFor }: Words): number {
  const how = [`  go on:    ${again}`, ...(withdraw ? [`  withdraw: ${withdraw}`] : [])];
  switch (ending.is) {
    case 'over':
      user.tell(over);
      return exitCodes.done;
    case 'problem':
      user.remark(
        [`Failed: ${printable(ending.problem)}`, ...(withdraw ? [`  withdraw: ${withdraw}`] : [])].join('\n'),
      );
      return exitCodes.failed;
    case 'late': {
      const what = waitsFor === undefined ? '' : ` It waits for this: ${printable(waitsFor)}`;
      user.remark([`The time is over. ${stays} stays, and goes on by itself.${what}`, ...how].join('\n'));
      return exitCodes.failed;
    }
    case 'stopped':
      user.remark([`Interrupted. ${stays} stays, and goes on by itself.`, ...how].join('\n'));
      return exitCodes.interrupted;
  }
}
