import { Agent, request } from 'node:http';
import { median } from '../../report.ts';
import { nowMs } from '../clock.ts';
import type { QueueStandIn } from './queue-stand-in.ts';

const probes = 200;
const probe = JSON.stringify({ MessageBody: 'probe', MessageGroupId: 'probe' });

/** The median duration of a call, measured by a client that waits for each response and does nothing else. */
export async function measureRoundTrip(queue: QueueStandIn, roundTripMs: number): Promise<number> {
  await queue.reset(roundTripMs);
  const agent = new Agent({ keepAlive: true });
  try {
    const times: number[] = [];
    for (let turn = 0; turn < probes; turn += 1) times.push(await timeOf(queue.url, agent));
    const shortest = Math.min(...times);
    if (shortest >= roundTripMs) return median(times);
    throw new Error(`the stand-in answered after ${shortest} ms, before its ${roundTripMs} ms were over`);
  } finally {
    agent.destroy();
  }
}

function timeOf(url: string, agent: Agent): Promise<number> {
  const started = nowMs();
  const headers = { 'x-amz-target': 'AmazonSQS.SendMessage', 'content-length': Buffer.byteLength(probe) };
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method: 'POST', agent, headers }, (response) => {
      response.on('error', reject);
      response.on('end', () => resolve(nowMs() - started));
      response.resume();
    });
    outgoing.on('error', reject);
    outgoing.end(probe);
  });
}
