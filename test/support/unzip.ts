import { inflateRawSync } from 'node:zlib';

/** What is in an archive, by its directory: where it leads and what it says of each file must be what is there. */
export function unzip(archive: Buffer): Map<string, Buffer> {
  const end = archive.length - 22;
  const files = new Map<string, Buffer>();
  let at = archive.readUInt32LE(end + 16);
  for (let left = archive.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameBytes = archive.readUInt16LE(at + 28);
    const name = archive.toString('utf8', at + 46, at + 46 + nameBytes);
    files.set(name, contentsAt(archive, archive.readUInt32LE(at + 42), name));
    at += 46 + nameBytes;
  }
  return files;
}

function contentsAt(archive: Buffer, local: number, name: string): Buffer {
  const start = local + 30 + archive.readUInt16LE(local + 26);
  const found = archive.toString('utf8', local + 30, start);
  if (found !== name) throw new Error(`the directory leads to ${found} where ${name} should be`);
  return inflateRawSync(archive.subarray(start, start + archive.readUInt32LE(local + 18)));
}
