import type { Stores } from './find.ts';

export type Sweeping = Stores;
