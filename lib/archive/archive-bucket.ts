import { string } from '../runtime/config-values.ts';

export const archiveAccepts = 'the name of an S3 bucket alone, such as messages-archive, or empty for no archive';

export const archiveBucket = string(archiveAccepts, (name) => /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(name));
