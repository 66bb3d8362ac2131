/** Callers that wait for conditions, which are checked on any progress. */
export class Waiters {
  private readonly looks = new Set<() => void>();

  /** Resolves when the condition holds. It is also checked when the signal aborts. */
  until(condition: () => boolean, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!condition()) return;
        signal?.removeEventListener('abort', look);
        this.looks.delete(look);
        resolve();
      };
      this.looks.add(look);
      signal?.addEventListener('abort', look);
      look();
    });
  }

  wake(): void {
    for (const look of this.looks) look();
  }
}
