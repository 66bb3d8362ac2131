/** What a script can tell from how a command ended. */
export const exitCodes = { done: 0, failed: 1, usage: 2, found: 3, interrupted: 130 } as const;

export const exitCodesHelp =
  'Exit codes: 0 done, 1 failed, 2 usage error, 3 checked and found something that needs you, 130 interrupted';
