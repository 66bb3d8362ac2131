import type { Tag } from '@aws-sdk/client-iam';
import { iamError } from './fake-store-error.ts';

export interface FakeKey {
  id: string;
  secret: string;
  isActive: boolean;
  /** The store has no clock: whoever cares says it. */
  madeAt?: Date | undefined;
}

/** A user or a role. */
export interface FakePrincipal {
  name: string;
  arn: string;
  path: string;
  madeAt?: Date | undefined;
  tags: Tag[];
  boundary: string | undefined;
  trust: string | undefined;
  policies: Map<string, string>;
  /** Managed policies and whatever else people attach by hand. */
  attached: Set<string>;
  keys: FakeKey[];
}

export interface NewPrincipal {
  path?: string | undefined;
  tags?: Tag[] | undefined;
  boundary?: string | undefined;
  trust?: string | undefined;
}

const maxKeys = 2;
const pageLength = 2;

/** The users of an account, or its roles. */
export class FakePrincipals {
  private readonly principals = new Map<string, FakePrincipal>();
  private readonly kind: 'user' | 'role';
  private readonly nextId: () => string;
  /** The policies that there are; what else is named as a boundary is not found. */
  readonly managedPolicies = new Set<string>();

  constructor(kind: 'user' | 'role', nextId: () => string) {
    this.kind = kind;
    this.nextId = nextId;
  }

  all(): FakePrincipal[] {
    return [...this.principals.values()];
  }

  create(name: string, { path = '/', tags = [], boundary, trust }: NewPrincipal): FakePrincipal {
    if (this.principals.has(name)) throw iamError(409, 'EntityAlreadyExists');
    if (boundary && !this.managedPolicies.has(boundary)) throw iamError(404, 'NoSuchEntity');
    const arn = `arn:aws:iam::111122223333:${this.kind}${path}${name}`;
    const principal = {
      name,
      arn,
      path,
      tags,
      boundary,
      trust,
      policies: new Map(),
      attached: new Set<string>(),
      keys: [],
    };
    this.principals.set(name, principal);
    return principal;
  }

  /** A page of those below a path, each shorter than AWS's, and where the next one begins. */
  list(path = '/', marker = '0'): { page: FakePrincipal[]; next: string | undefined } {
    const all = this.all().filter((each) => each.path.startsWith(path));
    const end = Number(marker) + pageLength;
    return { page: all.slice(Number(marker), end), next: end < all.length ? String(end) : undefined };
  }

  find(name: string | undefined): FakePrincipal {
    const principal = this.principals.get(name ?? '');
    if (!principal) throw iamError(404, 'NoSuchEntity');
    return principal;
  }

  putPolicy(name: string | undefined, policy: string, document: string): void {
    const { policies } = this.find(name);
    if (!Array.isArray(JSON.parse(document).Statement)) throw iamError(400, 'MalformedPolicyDocument');
    policies.set(policy, document);
  }

  deletePolicy(name: string | undefined, policy: string): void {
    if (!this.find(name).policies.delete(policy)) throw iamError(404, 'NoSuchEntity');
  }

  createKey(name: string | undefined): FakeKey {
    const { keys } = this.find(name);
    if (keys.length >= maxKeys) throw iamError(409, 'LimitExceeded');
    const id = this.nextId();
    const key = { id: `AKIA${id}`, secret: `secret-${id}`, isActive: true };
    keys.push(key);
    return key;
  }

  deleteKey(name: string | undefined, id: string | undefined): void {
    const principal = this.find(name);
    const others = principal.keys.filter((key) => key.id !== id);
    if (others.length === principal.keys.length) throw iamError(404, 'NoSuchEntity');
    principal.keys = others;
  }

  delete(name: string | undefined): void {
    const { keys, policies, attached } = this.find(name);
    if (keys.length > 0 || policies.size > 0 || attached.size > 0) throw iamError(409, 'DeleteConflict');
    this.principals.delete(name ?? '');
  }
}
