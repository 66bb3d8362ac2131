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
  /** Another representation of the response than the whole object. */
  accept?: string;
  /** The trace that the call is part of, and the call's own span, as in W3C Trace Context. */
  traceparent?: string;
  /** A longer response is aborted. */
  maxBytes?: number;
  /** The share whose memory the response takes; by default the connection's. */
  share?: Memory | undefined;
}

export interface RawAnswer {
  status: number;
  body: Buffer;
  /** The memory that the response takes, until the caller releases it. */
  held?: Hold;
}

/**
 * A response that is read as it arrives, each piece before the next is requested. Reading slowly slows the server down.
 */
export interface Stream extends AsyncIterable<Buffer> {
  statusCode?: number | undefined;
}

/** The calls to one API server. */
export interface Api {
  send(call: Call, signal?: AbortSignal): Promise<Answer>;
  sendForBytes(call: Call, signal?: AbortSignal): Promise<RawAnswer>;
  open(call: Call, silenceTimeoutMs?: number, signal?: AbortSignal): Promise<Stream>;
}
