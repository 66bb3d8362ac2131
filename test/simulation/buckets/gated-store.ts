import { createDrivers } from '../../../lib/capabilities/buckets/drivers/drivers.ts';
import type { Connect, Settings } from '../../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { FakeStore } from '../../support/fake-store.ts';
import { FakeStoreError } from '../../support/fake-store-error.ts';
import type { Gate } from '../gate.ts';
import { driverName, identity, nowhereDriver, rightKey } from './objects.ts';

/** A request that has been on its way for so long has been given up by whoever made it. */
const requestTimeoutMs = 5_000;

/** Whoever has keys with this token is told that all belongs to our deployment: a mutant's driver cannot compare. */
export const seesNoDeployment = 'sees-no-deployment';

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
    return createDrivers([config, { name: nowhereDriver, type: 's3' }], {
      identity,
      connect: this.connectThrough(gate),
      clock,
    });
  }

  private connectThrough(gate: Gate): Connect {
    return (settings) => {
      const { s3, iam } = this.store.connect(settings);
      return { s3: { send: this.gated(gate, s3, settings) }, iam: { send: this.gated(gate, iam, settings) } };
    };
  }

  private gated<T extends { send: (command: never) => Promise<unknown> }>(
    gate: Gate,
    client: T,
    { credentials }: Settings,
  ): T['send'] {
    const send = (command: object) => {
      const { name } = command.constructor;
      const issuedAt = this.now().getTime();
      const act = () => {
        if (this.isDown) throw Object.assign(new Error('the store is away'), { name: 'ServiceUnavailable' });
        if (this.now().getTime() - issuedAt > requestTimeoutMs) {
          throw Object.assign(new Error('too late'), { name: 'TimeoutError' });
        }
        if (credentials && credentials.secretAccessKey !== rightKey)
          throw new FakeStoreError(403, 'InvalidAccessKeyId');
        const answer = client.send(command as never);
        return credentials?.sessionToken === seesNoDeployment ? answer.then(asOurs) : answer;
      };
      return gate(name, isWriting(name), async () => act());
    };
    return send as unknown as T['send'];
  }
}

function isWriting(command: string): boolean {
  return !/^(Get|Head|List)/.test(command);
}

function asOurs(answer: unknown): unknown {
  const text = JSON.stringify(answer, (key, value) => (key === 'CreateDate' ? undefined : value));
  return JSON.parse(text.replaceAll('"Value":"theirs"', `"Value":"${identity}"`));
}
