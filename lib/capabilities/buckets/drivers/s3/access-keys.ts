import { CreateAccessKeyCommand, DeleteAccessKeyCommand, ListAccessKeysCommand } from '@aws-sdk/client-iam';
import type { Parameters } from '../driver.ts';
import type { OwnedKey } from '../sweepable-driver.ts';
import { ignoring } from './call.ts';
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
 * The consumer's only key: the held one while it is usable, or a new one. IAM returns a secret only once, so a key that is not
 * held was lost and will never be used. It is deleted first, because a user can only have two.
 */
export async function ensureKey(store: Store, userName: string, held: Parameters): Promise<KeyPair> {
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY } = held;
  const listed = await listKeys(store, userName);
  const isLive = listed.some(({ id, isActive }) => isActive && id === AWS_ACCESS_KEY_ID);
  const kept = isLive && AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY ? AWS_ACCESS_KEY_ID : undefined;
  for (const { id } of listed) if (id !== kept) await deleteKey(store, userName, id);
  // IAM lists a new key only after a while: a key that was issued a moment ago can be missing there, and yet be in use.
  const isHidden = !listed.some(({ id }) => id === AWS_ACCESS_KEY_ID);
  if (isHidden && isKeyId(AWS_ACCESS_KEY_ID)) await deleteKey(store, userName, AWS_ACCESS_KEY_ID);
  if (kept && AWS_SECRET_ACCESS_KEY) return { AWS_ACCESS_KEY_ID: kept, AWS_SECRET_ACCESS_KEY };
  return createKey(store, userName);
}

/** IAM refuses any other id, so none was ever issued. */
function isKeyId(id: string | undefined): id is string {
  return id !== undefined && /^\w{16,128}$/.test(id);
}

export async function deleteKeys(store: Store, userName: string): Promise<void> {
  for (const { id } of await listKeys(store, userName)) await deleteKey(store, userName, id);
}

export async function listKeys({ iam, call }: Store, UserName: string): Promise<ListedKey[]> {
  const command = new ListAccessKeysCommand({ UserName });
  const answer = await ignoring(
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
  await ignoring(
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
