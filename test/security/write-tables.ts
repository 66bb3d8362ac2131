import { writeTables } from './page.ts';

writeTables();
