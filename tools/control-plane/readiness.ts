import { readFile } from 'node:fs/promises';
import { request } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type KeptProcess, tailOf } from '../processes/kept-process.ts';
import { patient } from '../processes/patience.ts';
import type { SharedFiles } from './components.ts';

const pollMs = 50;
const startTimeoutMs = patient(180_000);
const answerTimeoutMs = 2_000;

/** Another process bound the port after we had picked it and before the component bound it. */
export class PortTaken extends Error {
  override readonly name = 'PortTaken';
}

/** Waits until a component works, and throws with its log if it does not. */
export async function until(
  name: string,
  process: KeptProcess,
  logPath: string,
  condition: () => Promise<boolean>,
): Promise<void> {
  const deadline = Date.now() + startTimeoutMs;
  while (!(await condition())) {
    const ended = process.ended();
    if (ended === undefined && Date.now() < deadline) {
      await pause(pollMs);
      continue;
    }
    const tail = await tailOf(logPath);
    if (tail.includes('address already in use')) throw new PortTaken(`the port of ${name} is in use`);
    throw new Error(`${name} did not start (${ended ?? `not ready after ${startTimeoutMs / 1000} s`}):\n${tail}`);
  }
}

/** The status of the API server's response to the administrator, or undefined if there is none yet. */
export async function ask(files: SharedFiles, port: number, path: string): Promise<number | undefined> {
  const ca = await readFile(files.servingCertificate).catch(() => undefined);
  if (!ca) return undefined;
  return new Promise((resolve) => {
    const headers = { authorization: `Bearer ${files.adminToken}` };
    const options = { host: '127.0.0.1', port, path, ca, headers, timeout: answerTimeoutMs, agent: false };
    const outgoing = request(options, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.on('timeout', () => outgoing.destroy());
    outgoing.on('error', () => resolve(undefined));
    outgoing.end();
  });
}
