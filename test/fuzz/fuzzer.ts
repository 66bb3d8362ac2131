import fc, { type Arbitrary, type RunDetails } from 'fast-check';
import { patient } from '../support/patience.ts';
import { queryFor } from './apply-mutant.ts';
import { CapturedOutput } from './captured-output.ts';
import type { Mutant } from './mutants.ts';
import { Surroundings } from './surroundings.ts';
import { Violation } from './violation.ts';

/** What is fuzzed of one function. */
export interface Fuzzing<Given> {
  /** What it is given at a time. */
  given: Arbitrary<Given>;
  /** How many messages or events that is. */
  count(given: Given): number;
  /** Gives it to the function and throws a violation, if there is any. Answers what it did, for the summary. */
  play(given: Given): Promise<Record<string, number>>;
}

export interface Outcome {
  count: number;
  tally: Record<string, number>;
  violation?: Violated;
}

/** What went wrong, made as short as it can be, and with which seed. */
export interface Violated {
  seed: number;
  text: string;
}

type Handler = (event: unknown, context?: unknown) => Promise<unknown>;

/** So many are generated from one seed; the next ones are of the next seed. */
const perSeed = 100;
/** A function has 30 s for a batch. */
const maxMs = patient(30_000);

/** One function with all that it talks to, in this process. */
export class Fuzzer {
  readonly surroundings = new Surroundings();
  readonly output = new CapturedOutput();
  private readonly name: string;
  private readonly handler: Handler;

  private constructor(name: string, handler: Handler) {
    this.name = name;
    this.handler = handler;
  }

  /** The function's own module is loaded here; with a mutant, once more, and with all that it imports. */
  static async of(name: string, mutant?: Mutant): Promise<Fuzzer> {
    const { handler } = (await import(`../../functions/${name}.ts${mutant ? queryFor(mutant) : ''}`)) as {
      handler: Handler;
    };
    const fuzzer = new Fuzzer(name, handler);
    await fuzzer.surroundings.start();
    Object.assign(process.env, fuzzer.surroundings.environmentOf(name));
    return fuzzer;
  }

  stop(): Promise<void> {
    return this.surroundings.stop();
  }

  /** Everything is as in the beginning. */
  begin(): void {
    this.surroundings.begin();
    this.output.begin();
  }

  /** Invokes the function. What it throws is an answer as well, if it is an error that says something. */
  async invoke(event: unknown, context?: unknown): Promise<{ answer: unknown } | { error: Error }> {
    const started = performance.now();
    const outcome = await inTime(this.handler(event, context)).then(
      (answer) => ({ answer }),
      (error: unknown) => ({ error: this.said(error) }),
    );
    this.output.judge();
    // What keeps the processor busy cannot be interrupted.
    if (performance.now() - started > maxMs) throw new Violation(`it took longer than ${maxMs} ms`);
    return outcome;
  }

  /** Gives a function so many, seed after seed, until something goes wrong. */
  async run<Given>(fuzzing: Fuzzing<Given>, { runs, seed }: { runs: number; seed: number }): Promise<Outcome> {
    const outcome: Outcome = { count: 0, tally: {} };
    const property = fc.asyncProperty(fuzzing.given, (each) => this.playOne(fuzzing, each, outcome));
    let next = seed;
    const unhandled = (error: unknown) => {
      outcome.violation ??= { seed: next, text: `nobody handles a rejection: ${messageOf(error)}` };
    };
    process.on('unhandledRejection', unhandled);
    this.output.start();
    try {
      for (; outcome.count < runs && !outcome.violation; next += 1) {
        const details = await fc.check(property, { seed: next, numRuns: perSeed });
        if (details.failed) outcome.violation = { seed: next, text: told(details) };
      }
    } finally {
      this.output.stop();
      process.off('unhandledRejection', unhandled);
    }
    return outcome;
  }

  private async playOne<Given>({ count, play }: Fuzzing<Given>, given: Given, outcome: Outcome): Promise<void> {
    this.begin();
    outcome.count += count(given);
    for (const [what, number] of Object.entries(await play(given))) {
      outcome.tally[what] = (outcome.tally[what] ?? 0) + number;
    }
  }

  private said(error: unknown): Error {
    if (error instanceof Violation) throw error;
    if (error instanceof Error && error.message !== '') return error;
    throw new Violation(`${this.name} throws what says nothing: ${String(error)}`);
  }
}

/** The smallest that still goes wrong; some things are long by their nature. */
function told<Given>({ counterexample, errorInstance }: RunDetails<[Given]>): string {
  const given = fc.stringify(counterexample?.[0]);
  const short = given.replaceAll(/(.{1,8}?)\1{40,}/g, '$1…$1');
  const clipped = short.length > 4_000 ? `${short.slice(0, 4_000)}…` : short;
  return `${messageOf(errorInstance)}\nsmallest: ${clipped}`;
}

function messageOf(error: unknown): string {
  if (error instanceof Violation) return error.message;
  return error instanceof Error ? `${error.stack}` : String(error);
}

async function inTime<T>(working: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Violation(`no answer within ${maxMs} ms`)), maxMs);
  });
  return Promise.race([working, late]).finally(() => clearTimeout(timer));
}
