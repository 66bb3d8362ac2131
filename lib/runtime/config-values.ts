/** Readers of single configuration values. */

export class ConfigError extends Error {
  constructor(variable: string, problem: string) {
    super(`${variable} ${problem}`);
    this.name = 'ConfigError';
  }
}

export function readCount(variable: string, text: string | undefined, defaultValue: number): number {
  if (!text) return defaultValue;
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1) throw new ConfigError(variable, 'must be a whole number of at least 1');
  return count;
}

/** CloudWatch accepts nothing else as a dimension's value, and would silently drop the metrics. */
export function readDimension(variable: string, text: unknown): string {
  if (typeof text !== 'string') throw new ConfigError(variable, 'must be a string');
  if (/^(?!:)[ -~]{1,255}$/.test(text) && text.trim() !== '') return text;
  const wanted = 'must be of 1 to 255 printable characters of ASCII, not all blanks, with no colon at the beginning';
  throw new ConfigError(variable, `${wanted}: write a name such as "main" or "prod/eu west"`);
}

export function asRecord(variable: string, value: unknown): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new ConfigError(variable, 'must be a JSON object');
  }
  return value as Record<string, unknown>;
}

export function parseJson(variable: string, text: string | undefined): unknown {
  if (!text) throw new ConfigError(variable, 'is not set');
  try {
    return JSON.parse(text);
  } catch {
    throw new ConfigError(variable, 'is not JSON');
  }
}
