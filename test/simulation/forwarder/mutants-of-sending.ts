import { FanOut } from '../../../lib/forwarder/fan-out.ts';
import { Lease } from '../../../lib/forwarder/lease.ts';
import { Progress } from '../../../lib/forwarder/progress.ts';
import { FairQueue } from '../../../lib/queue/fair-queue.ts';
import type { SendBatch } from '../../../lib/queue/lane-sender.ts';
import { Outbox } from '../../../lib/queue/outbox.ts';
import type { ForwarderMutant } from './mutant.ts';
import type { World } from './world.ts';

const sending = (change: (send: SendBatch, world: World) => SendBatch) =>
  ({ surround: (options, world) => ({ ...options, send: change(options.send, world) }) }) as Pick<
    ForwarderMutant,
    'surround'
  >;

/** What becomes of messages on their way to a queue, by one that does it wrongly. */
export const sendingMutants: readonly ForwarderMutant[] = [
  {
    name: 'retry-overtakes',
    needs: ['failed sends'],
    // What fails is tried again on its own, while newer messages of its keys go out.
    ...sending((send, { time }) => (name, messages) => {
      const attempt = async (): Promise<void> => {
        const refused = await send(name, messages).catch(() => undefined);
        if (!refused) time.after(300, () => void attempt());
      };
      return send(name, messages).catch(() => {
        time.after(300, () => void attempt());
        return [];
      });
    }),
  },
  {
    name: 'two-in-flight',
    // It counts as taken when it has hardly been sent.
    ...sending((send, { time }) => (name, messages) => {
      const early = new Promise<number[]>((resolve) => void time.after(1, () => resolve([])));
      return Promise.race([send(name, messages).catch(() => []), early]);
    }),
  },
  {
    name: 'partial-refusal-unseen',
    needs: ['partial refusals'],
    ...sending((send) => async (name, messages) => {
      await send(name, messages);
      return [];
    }),
  },
  {
    name: 'failed-call-forgotten',
    needs: ['failed sends', 'lost answers'],
    ...sending((send) => (name, messages) => send(name, messages).catch(() => [])),
  },
  {
    name: 'fence-not-asked',
    needs: ['stops', 'queue away', 'failed sends'],
    replace: () => {
      const { isHeldFor } = Lease.prototype;
      // Whether it holds the lease at all it still asks, as it does between two renewals.
      Lease.prototype.isHeldFor = function (milliseconds) {
        return milliseconds > 0 || isHeldFor.call(this, milliseconds);
      };
      return () => {
        Lease.prototype.isHeldFor = isHeldFor;
      };
    },
  },
  {
    name: 'own-key-left-out',
    // Whoever waits for what has changed is told before the one that it is about, for which there is no room then.
    replace: () => {
      const { limit } = FanOut.prototype;
      FanOut.prototype.limit = function (change, routes, owner) {
        const others = routes.filter(({ resource }) => resource !== change.resource);
        return limit.call(this, change, others.length > 0 ? others : routes, owner);
      };
      return () => {
        FanOut.prototype.limit = limit;
      };
    },
  },
  {
    name: 'left-out-waited-for',
    // Nobody tells the checkpoint that what is left to the slow lane was taken.
    replace: () => {
      const { reach } = Progress.prototype;
      const { limit } = FanOut.prototype;
      let leftOut = 0;
      FanOut.prototype.limit = function (...given) {
        const told = limit.apply(this, given);
        leftOut = given[1].length - told.length;
        return told;
      };
      Progress.prototype.reach = function (version, messages, nowMs) {
        const waitedFor = messages + leftOut;
        leftOut = 0;
        return reach.call(this, version, waitedFor, nowMs);
      };
      return () => {
        FanOut.prototype.limit = limit;
        Progress.prototype.reach = reach;
      };
    },
  },
  {
    name: 'left-out-for-good',
    // The slow lane leaves out what was left out before.
    replace: () => {
      const { add } = Outbox.prototype;
      Outbox.prototype.add = function (parts, waiting) {
        if (!parts.isCrowded || waiting) add.call(this, parts, waiting);
      };
      return () => {
        Outbox.prototype.add = add;
      };
    },
  },
  {
    name: 'held-for-good',
    replace: () => {
      const { release } = FairQueue.prototype;
      FairQueue.prototype.release = () => {};
      return () => {
        FairQueue.prototype.release = release;
      };
    },
  },
  {
    name: 'silent-queue-stops-all',
    needs: ['failed sends', 'lost answers'],
    // What was asked of a queue that does not answer counts as still being asked.
    surround: (options) => ({
      ...options,
      depthOf: (name) => options.depthOf?.(name).catch(() => new Promise(() => {})) ?? Promise.resolve(0),
    }),
  },
  {
    name: 'run-id-missing',
    // The ids of all runs are one, and what one of them has sent another cannot send again.
    surround: (options) => ({
      ...options,
      newRunId: () => (options.newRunId?.().startsWith('late') ? 'late' : 'run'),
    }),
  },
];
