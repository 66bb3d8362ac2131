/** Kept for `test/events`, which plays a cluster's part with it; it belongs to the transfers. */
export { FakeVolumeController } from './transfers/fake-volume-controller.ts';
