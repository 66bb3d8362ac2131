import type { IAMClient } from '@aws-sdk/client-iam';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clients, Settings } from '../../lib/capabilities/buckets/drivers/s3/connection-settings.ts';
import { type FakeBucket, FakeBuckets } from './fake-store-buckets.ts';
import { answerIam } from './fake-store-iam.ts';
import { type FakePrincipal, FakePrincipals } from './fake-store-principals.ts';
import { answerS3, type S3Abilities } from './fake-store-s3.ts';

export interface FakeStoreOptions {
  /** Whether tags that come with the call that makes a bucket are taken; some stores ignore them. */
  tagsWithBucket?: boolean;
  /** What happens to each command instead or besides; for requests and answers that are lost. */
  around?: Around;
}

export type Around = (command: string, perform: () => object) => object | Promise<object>;

export interface LiveKey {
  id: string;
  secret: string;
  user: string;
  /** The documents of the policies of the key's user. */
  policies: string[];
}

/**
 * One account of S3 and IAM in memory, at the level of the SDK's commands. It answers as AWS does, as far as the drivers
 * ask, and has no clock and no chance in it: the same commands always lead to the same state.
 */
export class FakeStore {
  private issued = 0;
  private readonly nextId = (): string => `ID${String(++this.issued).padStart(14, '0')}`;
  private readonly allBuckets = new FakeBuckets(this.nextId);
  private readonly allUsers = new FakePrincipals('user', this.nextId);
  private readonly allRoles = new FakePrincipals('role', this.nextId);
  private readonly abilities: S3Abilities;
  /** The names of the commands so far. */
  readonly commands: string[] = [];
  around: Around;

  constructor({ tagsWithBucket = true, around = (_, perform) => perform() }: FakeStoreOptions = {}) {
    this.abilities = { tagsWithBucket };
    this.around = around;
  }

  /** In place of the function that makes real clients. */
  readonly connect = ({ region }: Settings): Clients => ({
    s3: {
      send: this.sender((command) => answerS3(this.allBuckets, this.abilities, region, command)) as S3Client['send'],
    },
    iam: { send: this.sender((command) => answerIam(this.allUsers, this.allRoles, command)) as IAMClient['send'] },
  });

  get buckets(): FakeBucket[] {
    return this.allBuckets.all();
  }

  get users(): FakePrincipal[] {
    return this.allUsers.all();
  }

  get roles(): FakePrincipal[] {
    return this.allRoles.all();
  }

  get liveKeys(): LiveKey[] {
    return this.users.flatMap(({ name, keys, policies }) =>
      keys
        .filter(({ isActive }) => isActive)
        .map(({ id, secret }) => ({ id, secret, user: name, policies: [...policies.values()] })),
    );
  }

  bucket(name: string): FakeBucket | undefined {
    return this.allBuckets.peek(name);
  }

  addBucket(name: string, also: Partial<FakeBucket> = {}): FakeBucket {
    return this.allBuckets.add(name, also);
  }

  addUser(name: string, tags: { Key: string; Value: string }[] = [], path = '/'): FakePrincipal {
    return this.allUsers.create(name, { tags, path });
  }

  addManagedPolicy(arn: string): void {
    this.allUsers.managedPolicies.add(arn);
    this.allRoles.managedPolicies.add(arn);
  }

  put(bucket: string, key: string): void {
    this.allBuckets.put(bucket, key);
  }

  hide(bucket: string, key: string): void {
    this.allBuckets.hide(bucket, key);
  }

  startUpload(bucket: string, key: string): void {
    this.allBuckets.startUpload(bucket, key);
  }

  private sender(answer: (command: object) => object) {
    return async (command: object): Promise<object> => {
      const name = command.constructor.name.replace(/Command$/, '');
      this.commands.push(name);
      // As over a network, nobody has an answer in the same breath.
      await Promise.resolve();
      return this.around(name, () => answer(command));
    };
  }
}
