import { elapsedText } from '../../cli/terminal/elapsed.ts';
import { onStop, type StopSignal } from '../../lib/runtime/stop-signals.ts';
import { type LocalStack, startLocalStack } from '../local/local-stack.ts';
import { lookAround } from './look-around.ts';
import { Tour } from './tour.ts';

const usage = 'usage: npm start [-- --once]     --once ends after the tour';

const started = Date.now();
const say = (text: string) => console.log(text);
const progress = (text: string) => say(`${elapsedText(Date.now() - started)} ${text}`);

/** 128 plus the number of the signal, as in shells. */
const exitCodes: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143 };

let isStopped = false;
const signalled = new Promise<StopSignal>((resolve) => {
  onStop((signal) => {
    isStopped = true;
    resolve(signal);
  });
});

let local: LocalStack | undefined;
let tour: Tour | undefined;

async function work(): Promise<'done'> {
  local = await startLocalStack({ progress });
  // The rest of the tour's output is of no interest once the user has stopped it.
  tour = new Tour(local, (text) => {
    if (!isStopped) say(text);
  });
  await tour.run();
  return 'done';
}

async function cleanUp(): Promise<void> {
  if (!local) return;
  progress('Cleaning up');
  try {
    // Our own cluster is removed with everything in it.
    if (!local.controlPlane.managed) await tour?.cleanUp();
  } finally {
    await local.stop();
  }
}

/** Runs until it is done or stopped. Returns the exit code. */
async function run(once: boolean): Promise<number> {
  const outcome = await Promise.race([work(), signalled]);
  // Stopping a tour by hand is not a failure; a script that requested all of it has not got it.
  if (outcome !== 'done') return once ? exitCodes[outcome] : 0;
  if (once || !local) return 0;
  say(lookAround(local));
  // Nothing else keeps this process alive.
  const alive = setInterval(() => {}, 60_000);
  await signalled;
  clearInterval(alive);
  return 0;
}

async function main(options: readonly string[]): Promise<number> {
  if (options.some((option) => option !== '--once')) {
    console.error(usage);
    return 2;
  }
  try {
    return await run(options.includes('--once'));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return 1;
  } finally {
    await cleanUp();
  }
}

// Anything that is still starting when a signal arrives ends with this process.
process.exit(await main(process.argv.slice(2)));
