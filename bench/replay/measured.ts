import { nowMs } from '../forward/clock.ts';

export interface Figures {
  messages: number;
  ms: number;
  /** Of the work, without the start of the process. */
  cpuMs: number;
  /** Of the whole process. */
  peakMb: number;
}

const mark = 'figures ';

/** Does the work of a contender and prints its figures. */
export async function measured(work: () => Promise<number>): Promise<void> {
  const [started, before] = [nowMs(), process.cpuUsage()];
  const messages = await work();
  const { user, system } = process.cpuUsage(before);
  const peakMb = process.resourceUsage().maxRSS / 1_024;
  const figures: Figures = { messages, ms: nowMs() - started, cpuMs: (user + system) / 1_000, peakMb };
  console.log(`${mark}${JSON.stringify(figures)}`);
}

export function figuresIn(output: string): Figures {
  const line = output.split('\n').find((each) => each.startsWith(mark));
  if (!line) throw new Error(`no figures were said, but:\n${output}`);
  return JSON.parse(line.slice(mark.length)) as Figures;
}
