import { Option } from '@commander-js/extra-typings';

export const documentForms = ['json', 'yaml'] as const;
export type DocumentForm = (typeof documentForms)[number];

/** `-o` of a command whose text is no table. */
export const documentOption = () =>
  new Option('-o, --output <form>', 'output form (default: text)').choices(documentForms);

/** What `-o json` was called before. */
export const jsonOption = () => new Option('--json', 'the same as -o json').hideHelp();

export interface DocumentOptions {
  output?: DocumentForm | undefined;
  json?: true | undefined;
}

export function formOf({ output, json }: DocumentOptions): DocumentForm | undefined {
  return output ?? (json ? 'json' : undefined);
}
