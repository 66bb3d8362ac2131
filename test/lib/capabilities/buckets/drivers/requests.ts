import type {
  CreateBucketRequest,
  DeleteBucketRequest,
  GrantAccessRequest,
  RevokeAccessRequest,
} from '../../../../../lib/capabilities/buckets/drivers/driver.ts';

export const owner = '0d6a5b1c-8f1e-4b7a-9f3e-2c5d7e9a1b3c';
export const ownerName = owner.replaceAll('-', '');
export const bucket = `photos-${ownerName}`;
export const userName = `cosi-${ownerName}`;
export const region = 'eu-central-1';

/** One consumer's requests; each test says what is different in its own. */
export const common = {
  bucket,
  owner,
  parameters: { region },
  secrets: {},
  deadline: Number.MAX_SAFE_INTEGER,
  cluster: 'main',
  requester: { namespace: 'team-a', name: 'photos' },
};

export function creating(also: Partial<CreateBucketRequest> = {}): CreateBucketRequest {
  return { ...common, ...also };
}

export function granting(also: Partial<GrantAccessRequest> = {}): GrantAccessRequest {
  return { ...common, flow: 'Greenfield', mode: 'rw', held: {}, ...also };
}

export function deleting(also: Partial<DeleteBucketRequest> = {}): DeleteBucketRequest {
  return { ...common, ...also };
}

export function revoking(also: Partial<RevokeAccessRequest> = {}): RevokeAccessRequest {
  return { ...common, ...also };
}
