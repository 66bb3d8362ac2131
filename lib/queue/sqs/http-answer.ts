import { Body } from '../../http/body.ts';
import type { Head } from '../../http/head.ts';
import { HeadReader } from '../../http/head-reader.ts';

/** An answer of HTTP/1.1, whole. */
export interface HttpAnswer {
  status: number;
  /** The lines of its headers. */
  head: string;
  body: string;
  /** Whether its connection may be used again. */
  isKept: boolean;
}

/** SQS answers with some 200 bytes a message. */
const maxBytes = 1024 * 1024;
const nothing = Buffer.alloc(0);

/** Reads one answer while its bytes come, in whatever pieces. What is no answer is thrown. */
export class AnswerReader {
  private readonly headReader = new HeadReader();
  private head: Head | undefined;
  private body: Body | undefined;
  private pieces: Buffer[] = [];
  private size = 0;

  get hasBegun(): boolean {
    return this.size > 0;
  }

  /** Answers the answer once it is whole. */
  push(chunk: Buffer): HttpAnswer | undefined {
    this.size += chunk.length;
    if (this.size > maxBytes) throw new Error('its response is longer than any response of a queue');
    if (this.body) return this.read(chunk, 0);
    const found = this.headReader.push(chunk);
    if (!found) return undefined;
    this.head = found.head;
    this.body = new Body(this.head);
    return this.read(found.bytes, this.head.from);
  }

  /** The other side has closed the connection: the end of an answer that has no other. */
  end(): HttpAnswer | undefined {
    return this.body?.mayEndHere ? this.answer(false) : undefined;
  }

  private read(bytes: Buffer, from: number): HttpAnswer | undefined {
    const { body } = this;
    const end = body?.push(bytes, from, bytes.length, (_, start, to) => this.pieces.push(bytes.subarray(start, to)));
    // What comes after the end of an answer belongs to nothing that was asked: such a connection is not used again.
    return body?.isOver ? this.answer(end === bytes.length) : undefined;
  }

  private answer(endsThere: boolean): HttpAnswer {
    const { status = 0, text: head = '', isKept = false } = this.head ?? {};
    const [first = nothing] = this.pieces;
    const body = (this.pieces.length > 1 ? Buffer.concat(this.pieces) : first).toString('utf8');
    return { status, head, body, isKept: isKept && endsThere };
  }
}
