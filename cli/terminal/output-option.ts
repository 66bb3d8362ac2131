import { Option } from '@commander-js/extra-typings';

export const outputForms = ['json', 'yaml', 'wide', 'name'] as const;
export type OutputForm = (typeof outputForms)[number];

/** `-o`, with those forms that the command has. */
export const outputOption = <const Form extends OutputForm>(...forms: readonly Form[]) =>
  new Option('-o, --output <form>', 'output form (default: a table)').choices(forms);
