import type { Command as PassedOn } from './command.ts';
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
  aws: 'Deployments on AWS:',
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
    summary: 'remove it from a cluster',
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
    name: 'forward',
    summary: 'forward changes to the queues of a deployment from this process',
    group: 'aws',
    load: async () => passedOn((await import('./forward.ts')).forward),
  },
  {
    name: 'replay',
    summary: 'replay archived changes to the queues',
    group: 'aws',
    load: async () => passedOn((await import('./replay/replay.ts')).replay),
  },
  {
    name: 'dlq',
    summary: 'list dead letters, or drop them',
    group: 'aws',
    load: async () => passedOn((await import('./dlq.ts')).dlq),
  },
  {
    name: 'redrive',
    summary: 'send dead letters again',
    group: 'aws',
    load: async () => passedOn((await import('./redrive.ts')).redrive),
  },
  {
    name: 'resync',
    summary: 'send messages for all objects that may need work',
    group: 'aws',
    load: async () => passedOn((await import('./resync.ts')).resyncCommand),
  },
  {
    name: 'queues',
    summary: 'show the queues of a deployment, and recreate missing ones',
    group: 'aws',
    load: async () => passedOn((await import('./queues.ts')).queues),
  },
  {
    name: 'trace',
    summary: 'show everything that happened to an object',
    group: 'aws',
    load: async () => passedOn((await import('./trace.ts')).trace),
  },
];

/** A command that reads its arguments itself. */
function passedOn(command: PassedOn): Define {
  return (defined) => {
    const given = () => process.argv.slice(process.argv.indexOf(defined.name()) + 1);
    defined
      .helpOption(false)
      .allowUnknownOption()
      .argument('[arguments...]')
      .action(async () => {
        if (given().some((each) => each === '-h' || each === '--help')) console.log(usageOf(command, given()));
        else await command.run(given());
      });
    defined.helpInformation = () => `${usageOf(command, given())}\n`;
  };
}

/** That of the subcommand, if one is named that has its own. */
function usageOf({ usage, usageOf: ofSome = {} }: PassedOn, given: readonly string[]): string {
  const named = given.find((each) => Object.hasOwn(ofSome, each));
  return `usage: longshore ${(named === undefined ? undefined : ofSome[named]) ?? usage}`;
}
