const VALID = /^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$/;

/** What is known of a request's trace. `traceparent`: of the span that tracing has begun for it. */
export type Traced = {
  id: string;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  traceparent?: string;
};

/**
 * The trace a request belongs to (W3C Trace Context): the span that tracing has begun for it, else the client's when it
 * names a valid one, else one made of the request's id.
 */
export function traceparentOf({ id, headers, traceparent }: Traced): string {
  if (traceparent !== undefined) return traceparent;
  const sent = headers.traceparent;
  if (typeof sent === 'string' && VALID.test(sent)) return sent;
  const trace = id.replaceAll('-', '');
  return `00-${trace}-${trace.slice(16)}-01`;
}
