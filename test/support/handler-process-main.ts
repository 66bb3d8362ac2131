import type { SQSEvent } from 'aws-lambda';
import { accessFromKubeconfig } from '../../lib/kubernetes/access/embedded-kubeconfig.ts';
import { Connection } from '../../lib/kubernetes/connection.ts';
import { RestCluster } from '../../lib/kubernetes/rest-cluster.ts';
import { createHandler, type Handler } from '../../lib/reconcile/serve.ts';
import { maxReceives } from './array-queue.ts';
import type { Question } from './handler-process.ts';
import { transferSteps as steps } from './transfer-steps.ts';

/** The program of a handler process: it answers what its parent asks, and ends with its parent. */
const handlers = new Map<string, Handler>();
const silent = { info: () => {}, error: () => {}, measure: () => {} };

process.on('message', async (question: Question) => {
  if ('kubeconfigs' in question) return connect(question.kubeconfigs);
  const answer = await handlers.get(question.function)?.(question.event as SQSEvent);
  process.send?.({ id: question.id, answer });
});
process.on('disconnect', () => process.exit());

function connect(kubeconfigs: Record<string, string>): void {
  for (const step of steps) {
    const cluster = new RestCluster('test', new Connection(accessFromKubeconfig(kubeconfigs[step.name] ?? '')));
    const runtime = {
      cluster: async () => cluster,
      forgetCredentials: () => {},
      postpone: async () => {},
      maxReceives,
      log: silent,
      now: () => new Date(),
    };
    handlers.set(step.name, createHandler(step, runtime));
  }
}
