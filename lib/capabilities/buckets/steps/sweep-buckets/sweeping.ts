import type { StoreAccess } from './read-stores.ts';

export type Sweeping = StoreAccess;
