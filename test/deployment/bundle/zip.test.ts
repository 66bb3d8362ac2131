import { crc32, inflateRawSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { zipOf } from '../../../deployment/bundle/zip.ts';

const contents = Buffer.from('export const answer = 42;\n'.repeat(100));
const archive = zipOf('handler.mjs', contents);

test('what is put in comes out again, and its checksum is right', () => {
  const start = 30 + archive.readUInt16LE(26);
  expect(archive.subarray(30, start).toString()).toBe('handler.mjs');
  expect(inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(18)))).toEqual(contents);
  expect(archive.readUInt32LE(14)).toBe(crc32(contents));
  expect(archive.readUInt32LE(22)).toBe(contents.length);
});

test('the directory at the end leads to the file, which everyone may read', () => {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const directory = archive.readUInt32LE(end + 16);
  expect(directory + archive.readUInt32LE(end + 12)).toBe(end);
  expect(archive.readUInt32LE(directory)).toBe(0x02014b50);
  expect(archive.readUInt32LE(directory + 42)).toBe(0);
  expect(archive.readUInt32LE(directory + 38) >>> 16).toBe(0o100644);
});

test('the same contents give the same archive, and other contents another', () => {
  expect(zipOf('handler.mjs', contents)).toEqual(archive);
  expect(zipOf('handler.mjs', Buffer.from('else'))).not.toEqual(archive);
});
