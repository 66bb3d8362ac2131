import { writeFileSync } from 'node:fs';
import { page, readPage, withTables } from './reason-tables.ts';

writeFileSync(page, withTables(readPage()));
