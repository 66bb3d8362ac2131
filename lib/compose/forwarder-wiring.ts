import type { SegmentStore } from '../archive/archive.ts';
import { routingFor } from '../capabilities/all-capabilities.ts';
import { ElectedForwarder, type ElectedForwarderOptions, maxSendMs } from '../forwarder/elected-forwarder.ts';
import type { Api } from '../kubernetes/api.ts';
import { logDepthUnknown, logRefusals } from '../queue/refusals.ts';
import { sendTo } from '../queue/send.ts';
import { realClock } from '../runtime/clock.ts';
import type { Config } from '../runtime/config.ts';
import type { Log } from '../runtime/log.ts';

export type ElectionSettings = Pick<ElectedForwarderOptions, 'holder' | 'leaseSeconds'>;

export interface Forwarding {
  /** Creates the forwarder of one cluster's changes. */
  forwarderFor(cluster: string, api: Api, settings?: ElectionSettings): ElectedForwarder;
  /** Closes the connections to the queues. */
  close(): void;
}

/** Wires routing, queues and archive together, for the scheduled function and for the process alike. */
export function composeForwarding(config: Config, log: Log): Forwarding {
  const routing = routingFor(Object.keys(config.queues));
  const store = archiveOf(config);
  const { send, depthOf, close } = sendTo(config.queues, undefined, {
    timeLimitMs: maxSendMs,
    onRefused: logRefusals(log),
    onDepthUnknown: logDepthUnknown(log),
  });
  const { identity, maxFanOut } = config;
  const shared = { identity, maxFanOut, send, depthOf, store, log, clock: realClock, ...routing };
  return {
    forwarderFor: (cluster, api, settings = {}) => new ElectedForwarder({ ...shared, cluster, api, ...settings }),
    close,
  };
}

/** The store of the archive, if there is one. Its client is loaded with the first segment. */
export function archiveOf({ archive }: Pick<Config, 'archive'>): SegmentStore | undefined {
  if (archive === undefined) return undefined;
  let store: Promise<SegmentStore> | undefined;
  const open = () => import('../archive/s3-store.ts').then(({ storeInBucket }) => storeInBucket(archive));
  return {
    put: async (...segment) => {
      store ??= open();
      await (await store).put(...segment);
    },
  };
}
