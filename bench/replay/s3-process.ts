import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';

/**
 * The stand-in for S3: lists and returns the files in a folder, which are named after their keys. Uploads are accepted
 * and ignored. Its arguments are the port that it listens on and the folder.
 */

const [port = '', folder = ''] = process.argv.slice(2);
const pageSize = 1_000;
/** File names cannot contain a slash. */
const keys = readdirSync(folder).map(decodeURIComponent).sort();

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://stand-in');
  request.resume();
  const key = decodeURIComponent(pathname.split('/').slice(2).join('/'));
  if (pathname === '/ready') response.end('ready');
  else if (request.method === 'PUT') response.end();
  else if (key === '') response.end(listing(searchParams));
  else void give(key, response);
});
server.keepAliveTimeout = 0;
server.listen(Number(port), '127.0.0.1');

function listing(query: URLSearchParams): string {
  const prefix = query.get('prefix') ?? '';
  const after = query.get('continuation-token') ?? query.get('start-after') ?? '';
  const found = keys.filter((key) => key.startsWith(prefix) && key > after);
  const delimiter = query.get('delimiter');
  if (delimiter) return page([], prefixes(found, prefix, delimiter), undefined);
  const contents = found.slice(0, pageSize);
  return page(contents, [], found.length > pageSize ? contents.at(-1) : undefined);
}

function prefixes(found: string[], prefix: string, delimiter: string): string[] {
  return [...new Set(found.map((key) => key.slice(0, key.indexOf(delimiter, prefix.length) + 1)))];
}

function page(contents: string[], common: string[], next: string | undefined): string {
  const parts = [
    ...contents.map((key) => `<Contents><Key>${key}</Key></Contents>`),
    ...common.map((key) => `<CommonPrefixes><Prefix>${key}</Prefix></CommonPrefixes>`),
    `<IsTruncated>${next !== undefined}</IsTruncated>`,
    ...(next === undefined ? [] : [`<NextContinuationToken>${next}</NextContinuationToken>`]),
  ];
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult>${parts.join('')}</ListBucketResult>`;
}

async function give(key: string, response: ServerResponse): Promise<void> {
  try {
    const bytes = await readFile(join(folder, encodeURIComponent(key)));
    response.writeHead(200, { 'content-length': bytes.length }).end(bytes);
  } catch {
    response.writeHead(404).end('<Error><Code>NoSuchKey</Code></Error>');
  }
}
