import { crc32 } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { zipOf } from '../../../deployment/bundle/zip.ts';
import { unzip } from '../../support/unzip.ts';

const contents = Buffer.from('export const answer = 42;\n'.repeat(100));
const files = { 'handler.mjs': contents, 'handler.mjs.map': Buffer.from('{}') };
const archive = zipOf(files);

test('what is put in comes out again, and its checksum is right', () => {
  expect(Object.fromEntries(unzip(archive))).toEqual(files);
  expect(archive.readUInt32LE(14)).toBe(crc32(contents));
  expect(archive.readUInt32LE(22)).toBe(contents.length);
});

test('the directory at the end leads to the files, which everyone may read', () => {
  const end = archive.length - 22;
  expect(archive.readUInt32LE(end)).toBe(0x06054b50);
  const directory = archive.readUInt32LE(end + 16);
  expect(directory + archive.readUInt32LE(end + 12)).toBe(end);
  const second = directory + 46 + 'handler.mjs'.length;
  for (const at of [directory, second]) {
    expect(archive.readUInt32LE(at)).toBe(0x02014b50);
    expect(archive.readUInt32LE(archive.readUInt32LE(at + 42))).toBe(0x04034b50);
    expect(archive.readUInt32LE(at + 38) >>> 16).toBe(0o100644);
  }
});

test('the same contents give the same archive, and other contents another', () => {
  expect(zipOf(files)).toEqual(archive);
  expect(zipOf({ ...files, 'handler.mjs': Buffer.from('else') })).not.toEqual(archive);
});
