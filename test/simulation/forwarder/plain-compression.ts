import { gzipSync } from 'node:zlib';
import { SegmentWriter, type SegmentWriterOptions } from '../../../lib/archive/segment-writer.ts';

/**
 * The archive compresses in a thread of its own, which would take time that nobody simulates. From here on it does so at
 * once, and hardly at all.
 */
export function compressAtOnce(): void {
  const { write } = SegmentWriter.prototype;
  SegmentWriter.prototype.write = function (segment) {
    const options: SegmentWriterOptions = Reflect.get(this, 'options');
    options.compress = async (bytes) => gzipSync(bytes, { level: 0, memLevel: 1 });
    return write.call(this, segment);
  };
}
