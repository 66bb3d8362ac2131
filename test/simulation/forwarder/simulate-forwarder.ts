import { Violation } from '../capability.ts';
import { compressAtOnce } from './plain-compression.ts';
import { type ForwarderPlan, Play } from './play.ts';

compressAtOnce();

export interface Found {
  violation: string;
  trace: string[];
}

/** Runs one seed from beginning to end. Answers what went wrong, or undefined. */
export async function simulateForwarder(plan: ForwarderPlan): Promise<Found | undefined> {
  const violation = await play(plan, new Play(plan, false));
  if (!violation) return undefined;
  // The same once more, told in full.
  const told = new Play(plan, true);
  await play(plan, told);
  return { violation, trace: told.world.trace };
}

async function play({ mutant }: ForwarderPlan, run: Play): Promise<string | undefined> {
  const putBack = mutant?.replace?.();
  const unhandled = (error: unknown) => run.world.violate(`nobody handles a rejection: ${String(error)}`);
  process.on('unhandledRejection', unhandled);
  try {
    await run.run();
    return undefined;
  } catch (error) {
    if (error instanceof Violation) return error.message;
    throw error;
  } finally {
    process.off('unhandledRejection', unhandled);
    putBack?.();
  }
}
