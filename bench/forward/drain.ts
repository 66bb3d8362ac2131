import { outOfOrder } from './arrivals.ts';
import { nowMs } from './clock.ts';
import { type Contender, oneAtATime } from './contenders.ts';
import type { QueueStandIn } from './queue/queue-stand-in.ts';
import { roundTripsMs, type Settings } from './settings.ts';
import { type Site, withForwarder, withSite } from './site.ts';

export interface DrainFigures {
  contender: Contender;
  roundTripMs: number;
  messages: number;
  /** From the arrival of the first message to that of the last one. */
  perSecond: number;
  /** From the start of the process to the arrival of the last message. */
  untilLastMs: number;
  /** Of the whole process, including its start. */
  cpuMs: number;
  outOfOrder: number;
}

/** The cost of one more change, without that of the start of a process and of the JIT compiler's warm-up. */
export interface CostFigures {
  contender: Contender;
  roundTripMs: number;
  cpuMicroseconds: number;
}

const offered = () => ({ isOffered: true, isFenced: false });

/** Measures how fast a starting forwarder puts everything that exists onto the queue, and the cost of that. */
export function drain(
  queue: QueueStandIn,
  settings: Settings,
  progress: (line: string) => void,
): Promise<{ drains: DrainFigures[]; costs: CostFigures[] }> {
  return withSite(queue, progress, async (site) => {
    const measure = async (contenders: Contender[]) => {
      const figures: DrainFigures[] = [];
      for (const contender of contenders) {
        for (const roundTripMs of roundTripsMs) figures.push(await drainOnce(site, contender, roundTripMs));
      }
      return figures;
    };
    const { smallBacklog, middleBacklog, backlog } = settings;
    await seed(site, 0, smallBacklog);
    // The slowest one gets fewer claims, and sends all of them: its rate is constant.
    const slowest = await measure(settings.contenders.filter((contender) => contender === oneAtATime));
    const others = settings.contenders.filter((contender) => contender !== oneAtATime);
    await seed(site, smallBacklog, middleBacklog - smallBacklog);
    const fewer = await measure(others);
    await seed(site, middleBacklog, backlog - middleBacklog);
    const all = await measure(others);
    return { drains: [...slowest, ...all], costs: all.map((each) => costOf(each, fewer)) };
  });
}

function costOf({ contender, roundTripMs, cpuMs, messages }: DrainFigures, fewer: DrainFigures[]): CostFigures {
  const few = fewer.find((each) => each.contender === contender && each.roundTripMs === roundTripMs);
  if (!few) throw new Error(`${contender.title} was not measured with fewer`);
  const cpuMicroseconds = ((cpuMs - few.cpuMs) * 1_000) / (messages - few.messages);
  return { contender, roundTripMs, cpuMicroseconds };
}

async function seed({ claims, progress }: Site, from: number, count: number): Promise<void> {
  const started = nowMs();
  await claims.createMany(from, count, offered);
  progress(`${count} claims made, ${Math.round((count * 1_000) / (nowMs() - started))}/s`);
}

async function drainOnce(site: Site, contender: Contender, roundTripMs: number): Promise<DrainFigures> {
  const wanted = site.claims.ledger.entries();
  site.progress(`drain of ${wanted.length} at ${roundTripMs} ms: ${contender.title}`);
  await site.forget();
  await site.queue.reset(roundTripMs);
  const started = nowMs();
  return withForwarder(site, contender, async (process, arrivals) => {
    const missing = await arrivals.untilAll(wanted, process);
    if (missing.length > 0) {
      const words = await process.lastWords();
      throw new Error(`${contender.title} never forwarded ${missing.length} of its backlog; it said:\n${words}`);
    }
    const cpuMs = await process.cpuMs();
    const [first, last] = [arrivals.all[0]?.at ?? 0, arrivals.all.at(-1)?.at ?? 0];
    const messages = arrivals.all.length;
    return {
      contender,
      roundTripMs,
      messages,
      perSecond: (messages * 1_000) / (last - first),
      untilLastMs: last - started,
      cpuMs,
      outOfOrder: outOfOrder(arrivals.all),
    };
  });
}
