import { writeFileSync } from 'node:fs';
import { page, readPage, withTable } from './parameter-table.ts';

writeFileSync(page, withTable(readPage()));
