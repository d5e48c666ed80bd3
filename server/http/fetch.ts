/** What libraries that speak for us ask of `fetch`. */
export type Fetch = (
  url: string,
  options: { method: string; headers: Headers | Record<string, string>; body?: unknown },
) => Promise<Response>;

/** An answer as it was received. */
type Received = {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  text: string;
};

/** Statuses whose answers have no body (Fetch standard). */
const WITHOUT_BODY: ReadonlySet<number> = new Set([204, 205, 304]);

/** An answer as `fetch` would give it. */
export function responseOf({ status, headers, text }: Received): Response {
  const received = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    for (const line of [value ?? []].flat()) received.append(name, line);
  }
  return new Response(WITHOUT_BODY.has(status) ? null : text, { status, headers: received });
}
