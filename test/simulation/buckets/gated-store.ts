import { createDrivers } from '../../../lib/drivers/drivers.ts';
import type { Connect } from '../../../lib/drivers/s3/settings.ts';
import { FakeStore } from '../../support/fake-store.ts';
import type { Gate } from '../gate.ts';
import { driverName, identity } from './objects.ts';

/** A request that has been on its way for so long has been given up by whoever made it. */
const requestTimeoutMs = 5_000;

/** One account of S3 and IAM, in which every single call of a worker waits for the simulation. */
export class GatedStore {
  readonly store = new FakeStore();
  isDown = false;
  private readonly now: () => Date;

  constructor(now: () => Date) {
    this.now = now;
  }

  /** The real driver as one worker has it. */
  driversFor(gate: Gate) {
    const config = { name: driverName, type: 's3', region: 'eu-central-1' } as const;
    const clock = () => this.now().getTime();
    return createDrivers([config], { identity, connect: this.connectThrough(gate), clock });
  }

  private connectThrough(gate: Gate): Connect {
    return (settings) => {
      const { s3, iam } = this.store.connect(settings);
      return { s3: { send: this.gated(gate, s3) }, iam: { send: this.gated(gate, iam) } };
    };
  }

  private gated<T extends { send: (command: never) => Promise<unknown> }>(gate: Gate, client: T): T['send'] {
    const send = (command: object) => {
      const { name } = command.constructor;
      const issuedAt = this.now().getTime();
      const act = () => {
        if (this.isDown) throw Object.assign(new Error('the store is away'), { name: 'ServiceUnavailable' });
        if (this.now().getTime() - issuedAt > requestTimeoutMs) {
          throw Object.assign(new Error('too late'), { name: 'TimeoutError' });
        }
        return client.send(command as never);
      };
      return gate(name, isWriting(name), async () => act());
    };
    return send as unknown as T['send'];
  }
}

function isWriting(command: string): boolean {
  return !/^(Get|Head|List)/.test(command);
}
