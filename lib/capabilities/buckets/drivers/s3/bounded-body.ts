import { Readable } from 'node:stream';

/** No expected response is longer: a list of a thousand versions has a third of that. */
const maxBytes = 4 * 1024 * 1024;
/** A list of a thousand versions has some 24,000 of them; each becomes an object when the response is parsed. */
const maxTags = 100_000;
/** Responses up to this size are not limited: nearly all are shorter. */
const freeBytes = 64 * 1024;
/** Larger responses that are read at a time; the others wait. */
const maxLargeReads = 6;
/** A store may take as long to complete a response as to begin it. */
const maxMs = 5_000;

const tag = '<'.charCodeAt(0);

/** A response is longer, or takes more memory, than any expected one. */
class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

class AnswerTooSlow extends Error {
  override name = 'AnswerTooSlow';
}

/**
 * Reads responses of stores before they are parsed. A class can name any store, which may be hostile: it must not be able to
 * use up the memory or the time that others need.
 */
export class BoundedBodies {
  private long = 0;
  private readonly waiting: (() => void)[] = [];

  async read(
    body: AsyncIterable<Buffer> & { destroy?: (error?: Error) => unknown },
    signal?: AbortSignal,
  ): Promise<Readable> {
    const over = AbortSignal.any([AbortSignal.timeout(maxMs), ...(signal ? [signal] : [])]);
    const giveUp = () => body.destroy?.(new AnswerTooSlow('the store took too long to complete its response'));
    over.addEventListener('abort', giveUp);
    if (over.aborted) giveUp();
    try {
      return Readable.from([await this.readWhole(body)], { objectMode: false });
    } finally {
      over.removeEventListener('abort', giveUp);
    }
  }

  private async readWhole(body: AsyncIterable<Buffer>): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let length = 0;
    let isLong = false;
    try {
      for await (const chunk of body) {
        chunks.push(chunk);
        length += chunk.length;
        if (length > maxBytes) throw new AnswerTooLarge(`the response of the store has more than ${maxBytes} bytes`);
        if (length <= freeBytes || isLong) continue;
        await this.acquireSlot();
        isLong = true;
      }
      const whole = Buffer.concat(chunks);
      refuseExpandingXml(whole);
      return whole;
    } finally {
      if (isLong) this.releaseSlot();
    }
  }

  private async acquireSlot(): Promise<void> {
    if (this.long >= maxLargeReads) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.long += 1;
  }

  /** The longest-waiting read gets the slot. */
  private releaseSlot(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.long -= 1;
  }
}

/** A document type may define entities that expand to much more, and no store sends one. */
function refuseExpandingXml(body: Buffer): void {
  let tags = 0;
  for (let at = body.indexOf(tag); at >= 0; at = body.indexOf(tag, at + 1)) {
    tags += 1;
    if (tags > maxTags) throw new AnswerTooLarge(`the response of the store has more than ${maxTags} elements`);
  }
  if (body.includes('<!DOCTYPE') || body.includes('<!ENTITY')) {
    throw new AnswerTooLarge('the response of the store has a document type declaration');
  }
}
