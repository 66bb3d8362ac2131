import type { Parameters, Requester } from '../driver.ts';

export interface Tag {
  Key: string;
  Value: string;
}

const prefix = 'longshore.dev/';
const ownerKey = `${prefix}owner`;

interface Tagged {
  owner: string;
  requester: Requester;
  parameters: Parameters;
}

/** Whose it is, for ourselves; who asked for it, for people; and what the class adds. */
export function tagsFor({ owner, requester, parameters }: Tagged): Tag[] {
  const own = {
    [ownerKey]: owner,
    [`${prefix}cluster`]: requester.cluster,
    [`${prefix}namespace`]: requester.namespace,
    [`${prefix}name`]: requester.name,
  };
  const added = parseTags(parameters.tags ?? '').map(([key = '', value = '']) => [key, value]);
  return [...Object.entries(own), ...added].map(([Key = '', Value = '']) => ({ Key, Value: legal(Value) }));
}

/** Both S3 and IAM take these characters and no others. */
function legal(value: string): string {
  return value.replaceAll(/[^\p{L}\p{N}\p{Z}_.:/=+\-@]/gu, '_').slice(0, 256);
}

/** As the clients read them. */
export interface FoundTag {
  Key?: string | undefined;
  Value?: string | undefined;
}

export function ownerIn(tags: FoundTag[]): string | undefined {
  return tags.find(({ Key }) => Key === ownerKey)?.Value;
}

function parseTags(text: string): string[][] {
  return text === '' ? [] : text.split(',').map((each) => each.split('='));
}

/** The stores allow fifty in all. */
const mostTags = 40;

export function tagsProblem(text: string): string | undefined {
  const tags = parseTags(text);
  const example = 'write it as "team=storage,stage=test"';
  const malformed = tags.find(([key = '', value, ...rest]) => key === '' || value === undefined || rest.length > 0);
  if (malformed) return `has ${JSON.stringify(malformed.join('='))}, which is no tag: ${example}`;
  const keys = tags.map(([key = '']) => key);
  const illegal = tags.flat().find((each) => legal(each) !== each) ?? keys.find((key) => key.length > 128);
  if (illegal !== undefined) return `has ${JSON.stringify(illegal)}, which no tag may contain: leave it out`;
  const reserved = keys.find((key) => key.startsWith(prefix) || /^aws:/i.test(key));
  if (reserved !== undefined) return `has ${JSON.stringify(reserved)}, which is reserved: choose another key`;
  if (new Set(keys.map((key) => key.toLowerCase())).size < keys.length) return 'has a key twice: leave one out';
  return tags.length > mostTags ? `has more than ${mostTags} tags: leave some out` : undefined;
}
