/** What a message tells its reader to do with a claim, taken by the letter. */
export interface Advice {
  /** To delete it, or to create it again. */
  deletes: 'always' | 'without a volume' | 'never';
  /** To create another one beside it. */
  createsAnother: boolean;
}

const condition = 'as long as this claim has no volume, ';
/** `it` is whatever was named last: in the messages about claims that is the claim. */
const deletion =
  /(?<refrains>\b(?:do not|must not|not to|nothing is to)\s+)?\b(?:delete|recreate|remove|replace)\s+(?:it|the claim|this claim|this one|that claim)\b/gi;

export function adviceIn(message: string): Advice {
  const found = [...message.matchAll(deletion)].filter(({ groups }) => groups?.refrains === undefined);
  const isGuarded = found.every(({ index }) => message.slice(0, index).endsWith(condition));
  const deletes = found.length === 0 ? 'never' : isGuarded ? 'without a volume' : 'always';
  return { deletes, createsAnother: message.includes('create another claim') };
}
