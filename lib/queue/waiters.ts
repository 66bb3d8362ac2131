/** Callers that wait for conditions, which are looked at whenever something has moved. */
export class Waiters {
  private readonly looks = new Set<() => void>();

  /** Resolves when the condition holds. It is looked at when the signal aborts as well. */
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
