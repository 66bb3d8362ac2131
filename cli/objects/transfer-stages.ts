/** The conditions of a transfer by request in their order, in words for people. */
export const transferStages = [
  ['Matched', 'approved'],
  ['SourceReady', 'source ready'],
  ['Fenced', 'fenced'],
  ['Moved', 'moved'],
  ['Complete', 'complete'],
] as const;
