import { stripTypeScriptTypes } from 'node:module';

/** Jest's transform: the same type stripping that Node does when it runs a `.ts` file, so positions stay as written. */
export default {
  process: (source) => ({ code: stripTypeScriptTypes(source) }),
};
