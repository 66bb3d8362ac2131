import type { Define } from './define.ts';

export interface Listed {
  name: string;
  /** One line for the list of commands. */
  summary: string;
  group: keyof typeof groups;
  /** A module is loaded when its command is called, so that no command waits for what another one needs. */
  load: () => Promise<Define>;
}

/** The headings of the list of commands. */
export const groups = {
  cluster: 'Prepare a cluster:',
  run: 'Run:',
  operate: 'Monitor and troubleshoot:',
  namespace: 'Work in a namespace:',
  aws: 'Deployments on AWS:',
  shell: 'Your shell:',
} as const;

/** In the order of the list of commands. */
export const commands: readonly Listed[] = [
  {
    name: 'install',
    summary: 'install what Longshore needs in a cluster, or upgrade it',
    group: 'cluster',
    load: async () => (await import('./install/define-install.ts')).defineInstall,
  },
  {
    name: 'uninstall',
    summary: 'remove Longshore from a cluster',
    group: 'cluster',
    load: async () => (await import('./install/define-uninstall.ts')).defineUninstall,
  },
  {
    name: 'run',
    summary: 'run Longshore for clusters in this process, without AWS',
    group: 'run',
    load: async () => (await import('./run/define.ts')).defineRun,
  },
  {
    name: 'demo',
    summary: 'show on your cluster what Longshore does, and remove all of it',
    group: 'run',
    load: async () => (await import('./demo/define.ts')).defineDemo,
  },
  {
    name: 'check',
    summary: 'check whether a cluster has what Longshore needs',
    group: 'operate',
    load: async () => (await import('./check/define.ts')).defineCheck,
  },
  {
    name: 'status',
    summary: 'show whether Longshore is active, what is failing, and what is unfinished',
    group: 'operate',
    load: async () => (await import('./status/define.ts')).defineStatus,
  },
  {
    name: 'why',
    summary: 'show what one object is waiting on, and who has to do what',
    group: 'operate',
    load: async () => (await import('./why/define.ts')).defineWhy,
  },
  {
    name: 'retry',
    summary: 'try a failing object at once',
    group: 'operate',
    load: async () => (await import('./retry/define.ts')).defineRetry,
  },
  {
    name: 'explain',
    summary: 'explain a reason, and what to do about it',
    group: 'operate',
    load: async () => (await import('./explain/define.ts')).defineExplain,
  },
  {
    name: 'move',
    summary: 'move a claim of another namespace to yours',
    group: 'namespace',
    load: async () => (await import('./move/define.ts')).defineMove,
  },
  {
    name: 'approve',
    summary: 'give a claim to whoever requests it',
    group: 'namespace',
    load: async () => (await import('./approve/define.ts')).defineApprove,
  },
  {
    name: 'offer',
    summary: 'offer a claim to another namespace',
    group: 'namespace',
    load: async () => (await import('./offer/define.ts')).defineOffer,
  },
  {
    name: 'accept',
    summary: 'accept a claim that another namespace offers',
    group: 'namespace',
    load: async () => (await import('./accept/define.ts')).defineAccept,
  },
  {
    name: 'cancel',
    summary: 'withdraw a request, an approval or an offer',
    group: 'namespace',
    load: async () => (await import('./cancel/define.ts')).defineCancel,
  },
  {
    name: 'restore',
    summary: 'create a claim from a snapshot of another namespace',
    group: 'namespace',
    load: async () => (await import('./restore/define.ts')).defineRestore,
  },
  {
    name: 'bucket',
    summary: 'create, show and delete buckets',
    group: 'namespace',
    load: async () => (await import('./bucket/define.ts')).defineBucket,
  },
  {
    name: 'pending',
    summary: 'show what is waiting, for whom, and what to do next',
    group: 'namespace',
    load: async () => (await import('./pending/define.ts')).definePending,
  },
  {
    name: 'forward',
    summary: 'forward changes to the queues of a deployment from this process',
    group: 'aws',
    load: async () => (await import('./forward/define.ts')).defineForward,
  },
  {
    name: 'replay',
    summary: 'replay archived changes to the queues',
    group: 'aws',
    load: async () => (await import('./replay/define.ts')).defineReplay,
  },
  {
    name: 'dlq',
    summary: 'list dead letters, or drop them',
    group: 'aws',
    load: async () => (await import('./dlq/define.ts')).defineDlq,
  },
  {
    name: 'redrive',
    summary: 'send dead letters again',
    group: 'aws',
    load: async () => (await import('./redrive/define.ts')).defineRedrive,
  },
  {
    name: 'resync',
    summary: 'send messages for all objects that may need work',
    group: 'aws',
    load: async () => (await import('./resync/define.ts')).defineResync,
  },
  {
    name: 'queues',
    summary: 'show the queues of a deployment, and recreate missing ones',
    group: 'aws',
    load: async () => (await import('./queues/define.ts')).defineQueues,
  },
  {
    name: 'trace',
    summary: 'show everything that happened to an object',
    group: 'aws',
    load: async () => (await import('./trace/define.ts')).defineTrace,
  },
  {
    name: 'cost',
    summary: 'show what a deployment costs in a month, by list prices',
    group: 'aws',
    load: async () => (await import('./cost/define.ts')).defineCost,
  },
  {
    name: 'completion',
    summary: 'print a script by which bash, zsh or fish completes what you type',
    group: 'shell',
    load: async () => (await import('./completion/define.ts')).defineCompletion,
  },
];
