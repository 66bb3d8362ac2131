import { Readable } from 'node:stream';

/** No answer that is asked for is longer: a list of a thousand versions has a third of that. */
const maxBytes = 4 * 1024 * 1024;
/** A list of a thousand versions has some 24,000 of them; each becomes an object when the answer is parsed. */
const maxTags = 100_000;
/** So much of each answer counts for nothing while it is read: nearly all answers are shorter. */
const freeBytes = 64 * 1024;
/** How many longer ones are read at a time; the others wait. */
const maxLong = 6;
/** As long as a store may take to begin an answer, it may take to end it. */
const maxMs = 5_000;

const tag = '<'.charCodeAt(0);

/** What a store says is longer, or takes more memory, than it can have to say. */
class AnswerTooLarge extends Error {
  override name = 'AnswerTooLarge';
}

class AnswerTooSlow extends Error {
  override name = 'AnswerTooSlow';
}

/**
 * Reads what stores answer before it is parsed. Whoever writes a class names its store, which may be anybody's: it must not
 * be able to take the memory or the time that those of others need.
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
        await this.begin();
        isLong = true;
      }
      const whole = Buffer.concat(chunks);
      refuseExplosive(whole);
      return whole;
    } finally {
      if (isLong) this.end();
    }
  }

  private async begin(): Promise<void> {
    if (this.long >= maxLong) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.long += 1;
  }

  /** Whoever waits longest takes the place. */
  private end(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.long -= 1;
  }
}

/** A document type may define what becomes much longer when it is read, and no store has one. */
function refuseExplosive(body: Buffer): void {
  let tags = 0;
  for (let at = body.indexOf(tag); at >= 0; at = body.indexOf(tag, at + 1)) {
    tags += 1;
    if (tags > maxTags) throw new AnswerTooLarge(`the response of the store has more than ${maxTags} elements`);
  }
  if (body.includes('<!DOCTYPE') || body.includes('<!ENTITY')) {
    throw new AnswerTooLarge('the response of the store has a document type declaration');
  }
}
