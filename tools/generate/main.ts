import { generate } from './generate.ts';
import { missing } from './missing.ts';

/**
 * `npm run generate`: writes everything that is generated from declarations, and lists what has to be added by hand.
 */
const changed = [...new Set(generate())];
for (const path of changed) console.log(`wrote ${path}`);
const lacking = missing();
for (const each of lacking) console.error(`missing: ${each}`);
if (lacking.length > 0) process.exitCode = 1;
else if (changed.length === 0) console.log('Nothing has changed.');
