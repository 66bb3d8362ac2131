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

const isMissing = ' is missing';
const installing = 'longshore install';

/** An object of an installation that is not there. */
export function missing(subject: string, name: string): Finding {
  return problem(subject, `${name}${isMissing}`, installing);
}

/** Where nothing is installed, no list of everything says more than that. */
export function areAllMissing(findings: readonly Finding[]): boolean {
  return findings.length > 1 && findings.every(({ detail }) => detail.endsWith(isMissing));
}

export function noneOf(count: number, subject: string, what: string): Finding {
  return problem(subject, `none of the ${count} ${what} is there`, installing);
}
