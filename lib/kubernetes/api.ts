import type { Hold, Memory } from '../runtime/memory/budget.ts';

export interface Answer {
  status: number;
  body: string;
}

export interface Call {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object;
  contentType?: string;
  /** Another form of the answer than the whole object. */
  accept?: string;
  /** The trace that the call is part of, and the call's own span, as W3C Trace Context has it. */
  traceparent?: string;
  /** An answer of more bytes is given up. */
  maxBytes?: number;
  /** Whose memory the answer takes; without it, that of the connection. */
  share?: Memory | undefined;
}

export interface RawAnswer {
  status: number;
  body: Buffer;
  /** The memory that the response takes, until the caller releases it. */
  held?: Hold;
}

/** An answer that is read as it comes, each piece before the next is asked for. To stop reading is to slow the server down. */
export interface Stream extends AsyncIterable<Buffer> {
  statusCode?: number | undefined;
}

/** The calls to one API server. */
export interface Api {
  send(call: Call, signal?: AbortSignal): Promise<Answer>;
  sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer>;
  open(call: Call, silenceTimeoutMs?: number, signal?: AbortSignal): Promise<Stream>;
}
