import { crc32, deflateRawSync } from 'node:zlib';

/**
 * An archive of a few files. The same contents always result in the same bytes (it contains no time of day), so that
 * unchanged functions are recognized and not deployed again.
 */
export function zipOf(files: Readonly<Record<string, Uint8Array>>): Buffer {
  const entries: Entry[] = [];
  let offset = 0;
  for (const [name, contents] of Object.entries(files)) {
    const entry = entryOf(name, contents, offset);
    offset += entry.local.length;
    entries.push(entry);
  }
  const directory = Buffer.concat(entries.map((entry) => entry.inDirectory));
  const end = Buffer.alloc(18);
  end.writeUInt16LE(entries.length, 4);
  end.writeUInt16LE(entries.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...entries.map(({ local }) => local), directory, signature(0x06054b50), end]);
}

interface Entry {
  /** The file, with the header before its contents. */
  local: Buffer;
  /** Its entry in the directory at the end. */
  inDirectory: Buffer;
}

function entryOf(name: string, contents: Uint8Array, offset: number): Entry {
  const fileName = Buffer.from(name);
  const compressed = deflateRawSync(contents, { level: 9 });
  // These fields are both before the contents and in the directory at the end.
  const shared = Buffer.alloc(26);
  shared.writeUInt16LE(20, 0); // the version of the format that is needed to read it
  shared.writeUInt16LE(8, 4); // deflate
  shared.writeUInt16LE(0x21, 8); // 1 January 1980, the earliest possible date
  shared.writeUInt32LE(crc32(contents), 10);
  shared.writeUInt32LE(compressed.length, 14);
  shared.writeUInt32LE(contents.length, 18);
  shared.writeUInt16LE(fileName.length, 22);

  const inDirectory = Buffer.alloc(14);
  // Unix permissions: a regular file that everyone may read, as Lambda uses a separate user.
  inDirectory.writeUInt32LE(0o100644 * 0x10000, 6);
  inDirectory.writeUInt32LE(offset, 10);
  const madeByUnix = Buffer.from([20, 3]);
  return {
    local: Buffer.concat([signature(0x04034b50), shared, fileName, compressed]),
    inDirectory: Buffer.concat([signature(0x02014b50), madeByUnix, shared, inDirectory, fileName]),
  };
}

function signature(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
