import type { Report, Result } from '../report.ts';
import { handover } from './handover.ts';
import { memory } from './memory.ts';
import { readRunSettings } from './settings.ts';

/** Measures `longshore run` as it is published: its memory, and how soon another process takes over. */
export async function run(progress: (line: string) => void): Promise<Report> {
  const settings = readRunSettings();
  const { parts, heldClaims, churnPerSecond, churnSeconds, handovers } = settings;
  const results: Result[] = [];
  if (parts.includes('memory')) results.push(...(await memory(settings, progress)));
  if (parts.includes('handover')) results.push(...(await handover(settings, progress)));
  const churn = `${churnPerSecond}/s for ${churnSeconds} s`;
  return { name: 'run', conditions: { node: process.version, claims: heldClaims, churn, handovers }, results };
}
