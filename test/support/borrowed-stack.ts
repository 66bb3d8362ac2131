import { variable } from './deployed-stack.ts';
import { borrow, lendings } from './lending.ts';

/** Before each file of the project `deploy`: the stack is deployed. */
process.env[variable] = JSON.stringify(await borrow<object>(lendings.stacks));
