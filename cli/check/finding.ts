/** What a check has found. */
export interface Finding {
  level: 'ok' | 'warning' | 'problem';
  /** What was looked at, in a word or two. */
  subject: string;
  detail: string;
  /** A command, where one helps. */
  remedy?: string;
}

export function ok(subject: string, detail: string): Finding {
  return { level: 'ok', subject, detail };
}

export function warning(subject: string, detail: string, remedy?: string): Finding {
  return { level: 'warning', subject, detail, ...(remedy ? { remedy } : {}) };
}

export function problem(subject: string, detail: string, remedy?: string): Finding {
  return { level: 'problem', subject, detail, ...(remedy ? { remedy } : {}) };
}
