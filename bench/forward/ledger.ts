/** One version of a claim, and the time at which the API server's response to the write arrived. */
export interface Version {
  version: number;
  at: number;
}

export interface LedgerEntry {
  key: string;
  uid: string;
  versions: Version[];
  /** It no longer exists in the API server; its deletion has not only been requested. */
  isGone: boolean;
}

/** The writes to the API server, by claim: the changes that a forwarder has to forward. */
export class Ledger {
  private readonly entriesByKey = new Map<string, LedgerEntry>();

  note(key: string, answer: { at: number; text: string }): void {
    const uid = /"uid":"([^"]+)"/.exec(answer.text)?.[1];
    const version = Number(/"resourceVersion":"(\d+)"/.exec(answer.text)?.[1]);
    if (!uid || !version) throw new Error(`the API server's answer about ${key} has no uid or version: ${answer.text}`);
    const entry = this.entriesByKey.get(key) ?? { key, uid, versions: [], isGone: false };
    entry.versions.push({ version, at: answer.at });
    this.entriesByKey.set(key, entry);
  }

  noteGone(key: string): void {
    const entry = this.entriesByKey.get(key);
    if (!entry) throw new Error(`${key} was never made`);
    entry.isGone = true;
  }

  forget(key: string): void {
    this.entriesByKey.delete(key);
  }

  entries(): LedgerEntry[] {
    return [...this.entriesByKey.values()];
  }
}

export function lastVersion({ versions }: LedgerEntry): number {
  return versions.at(-1)?.version ?? 0;
}
