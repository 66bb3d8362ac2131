const variable = 'LONGSHORE_ARCHIVE';

/** The bucket of the archive, or undefined without an archive. */
export function archiveFrom(
  environment: Record<string, string | undefined>,
  mistake: (variable: string, problem: string) => Error,
): string | undefined {
  const name = environment[variable];
  if (!name) return undefined;
  if (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name)) return name;
  throw mistake(variable, 'must be the name of an S3 bucket alone, such as messages-archive, or empty for no archive');
}
