import { join } from 'node:path';
import { repository } from './bundle.ts';
import { packCommand } from './package.ts';

const { filename, bytes, unpackedBytes, files } = await packCommand(join(repository, '.release'));
const kilobytes = (count: number): string => `${Math.round(count / 1000)} KB`;
console.log(`.release/${filename}: ${kilobytes(bytes)}, ${kilobytes(unpackedBytes)} in ${files.length} files unpacked`);
