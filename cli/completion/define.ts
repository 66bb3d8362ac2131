import { Argument } from '@commander-js/extra-typings';
import type { Define } from '../define.ts';

/** Scripts that complete what is typed. */
export const defineCompletion: Define = (command) =>
  command
    .description(
      'Prints a script by which a shell completes commands, options, contexts, namespaces and names. Add the line of your shell below to the file that it reads when it starts.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(['bash', 'zsh', 'fish'] as const))
    .addHelpText(
      'after',
      `
For ~/.bashrc:                    source <(longshore completion bash)
For ~/.zshrc, after compinit:     source <(longshore completion zsh)
For ~/.config/fish/config.fish:   longshore completion fish | source

Example:
  longshore completion bash > ~/.longshore-completion.bash`,
    )
    .action(async (shell) => (await import('./scripts.ts')).printScript(shell));
