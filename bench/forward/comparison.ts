import { compared, type Result, result } from '../report.ts';
import { type Contender, ours } from './contenders.ts';

interface Figures {
  contender: Contender;
}

/**
 * One figure of all forwarders: the value of each baseline, and ours compared with each of them. If ours is left out,
 * the baselines are reported alone.
 */
export function compareAll<T extends Figures>(
  figures: T[],
  metric: string,
  unit: string,
  of: (each: T) => number,
): Result[] {
  const own = figures.find(({ contender }) => contender === ours);
  const others = figures.filter(({ contender }) => contender !== ours);
  if (!own) return others.map((each) => result(`${metric}: ${each.contender.title}`, of(each), unit));
  if (others.length === 0) return [result(metric, of(own), unit)];
  return others.map((each) => compared(metric, of(own), unit, each.contender.title, of(each)));
}

/** A figure without a comparison, by forwarder. */
export function each<T extends Figures>(figures: T[], metric: string, unit: string, of: (each: T) => number): Result[] {
  return figures.map((one) => result(`${metric}: ${one.contender.title}`, of(one), unit));
}
