import { Lease } from '../../../lib/forwarder/lease.ts';
import type { SendBatch } from '../../../lib/queue/lane-sender.ts';
import { Turns } from '../../../lib/queue/turns.ts';
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
    name: 'held-for-good',
    replace: () => {
      const { release } = Turns.prototype;
      Turns.prototype.release = () => {};
      return () => {
        Turns.prototype.release = release;
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
