import { askedOfAnything } from '../../lib/json/selection.ts';

/** Jest looks for these in whatever it compares or prints, which reads no field of an object. */
for (const name of ['asymmetricMatch', '$$typeof', 'nodeType', 'toAsymmetricMatcher', '@@__IMMUTABLE_ITERABLE__@@']) {
  askedOfAnything.add(name);
}
