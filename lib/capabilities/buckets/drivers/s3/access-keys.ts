import { CreateAccessKeyCommand, DeleteAccessKeyCommand, ListAccessKeysCommand } from '@aws-sdk/client-iam';
import type { Parameters } from '../driver.ts';
import type { OwnedKey } from '../owned.ts';
import { unless } from './call.ts';
import type { Store } from './store.ts';

const gone = ['NoSuchEntity'];

export interface KeyPair {
  AWS_ACCESS_KEY_ID: string;
  AWS_SECRET_ACCESS_KEY: string;
}

interface ListedKey extends OwnedKey {
  isActive: boolean;
}

/**
 * The consumer's one key: the one that is held, while it can be used, or a new one. IAM tells a secret only once, so a key
 * that is not held was lost on the way: nobody will ever use it, and it goes first, because a user can have but two.
 */
export async function ensureKey(store: Store, userName: string, held: Parameters): Promise<KeyPair> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = held;
  const listed = await listKeys(store, userName);
  const isLive = listed.some(({ id, isActive }) => isActive && id === AWS_ACCESS_KEY_ID);
  const kept = isLive && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY ? AWS_ACCESS_KEY_ID : undefined;
  for (const { id } of listed) if (id !== kept) await deleteKey(store, userName, id);
  // IAM lists a new key only after a while: one that was given out a moment ago can be missing there, and yet be used.
  const isHidden = !listed.some(({ id }) => id === AWS_ACCESS_KEY_ID);
  if (isHidden && isKeyId(AWS_ACCESS_KEY_ID)) await deleteKey(store, userName, AWS_ACCESS_KEY_ID);
  if (kept && AWS_SECRET_ACCESS_KEY) return { AWS_ACCESS_KEY_ID: kept, AWS_SECRET_ACCESS_KEY };
  return createKey(store, userName);
}

/** IAM refuses anything else, which nobody can then have been given. */
function isKeyId(id: string | undefined): id is string {
  return id !== undefined && /^\w{16,128}$/.test(id);
}

export async function deleteKeys(store: Store, userName: string): Promise<void> {
  for (const { id } of await listKeys(store, userName)) await deleteKey(store, userName, id);
}

export async function listKeys({ iam, call }: Store, UserName: string): Promise<ListedKey[]> {
  const command = new ListAccessKeysCommand({ UserName });
  const answer = await unless(
    gone,
    call('iam:ListAccessKeys', (options) => iam.send(command, options)),
  );
  const keys = answer?.AccessKeyMetadata ?? [];
  return keys.map(({ AccessKeyId = '', Status, CreateDate }) => {
    return { id: AccessKeyId, isActive: Status === 'Active', madeAt: CreateDate?.getTime() };
  });
}

export async function deleteKey({ iam, call }: Store, UserName: string, AccessKeyId: string): Promise<void> {
  const command = new DeleteAccessKeyCommand({ UserName, AccessKeyId });
  await unless(
    gone,
    call('iam:DeleteAccessKey', (options) => iam.send(command, options)),
  );
}

async function createKey({ iam, call }: Store, UserName: string): Promise<KeyPair> {
  const command = new CreateAccessKeyCommand({ UserName });
  const { AccessKey } = await call('iam:CreateAccessKey', (options) => iam.send(command, options));
  if (!AccessKey?.AccessKeyId || !AccessKey.SecretAccessKey) throw new Error(`IAM created no key for ${UserName}`);
  return { AWS_ACCESS_KEY_ID: AccessKey.AccessKeyId, AWS_SECRET_ACCESS_KEY: AccessKey.SecretAccessKey };
}
