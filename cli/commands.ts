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
  run: 'Run:',
  aws: 'Deployments on AWS:',
  shell: 'Your shell:',
} as const;

/** In the order of the list of commands. */
export const commands: readonly Listed[] = [
  {
    name: 'run',
    summary: 'run Longshore for clusters in this process, without AWS',
    group: 'run',
    load: async () => (await import('./run/define.ts')).defineRun,
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
    name: 'completion',
    summary: 'print a script by which bash, zsh or fish completes what you type',
    group: 'shell',
    load: async () => (await import('./completion/define.ts')).defineCompletion,
  },
];
