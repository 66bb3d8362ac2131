/** The origin of a message, according to its body: for logs only, never needed for the work itself. */
export interface Origin {
  /** The id of the CloudEvent, or of the event of the cloud: of the change. */
  correlation?: string;
  /** When that was. */
  time?: Date;
  /** The run that sent it again. */
  runId?: string;
  traceparent?: string;
}

/** Anyone may have written the body, and these values go into logs and headers: so only plain characters are taken. */
const plain = /^[\w.:/=+-]{1,128}$/;
const traceparent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

export function originOf(body: string): Origin {
  const event = parse(body);
  const time = typeof event.time === 'string' ? new Date(event.time) : undefined;
  return {
    ...(isLike(plain, event.id) ? { correlation: event.id } : {}),
    ...(time && !Number.isNaN(time.getTime()) ? { time } : {}),
    ...(isLike(plain, event.runid) ? { runId: event.runid } : {}),
    ...(isLike(traceparent, event.traceparent) ? { traceparent: event.traceparent } : {}),
  };
}

function isLike(pattern: RegExp, value: unknown): value is string {
  return typeof value === 'string' && pattern.test(value);
}

/** Errors are reported by the code that processes the message. */
function parse(body: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
