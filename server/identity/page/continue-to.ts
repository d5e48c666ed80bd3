import { type By, issueCode } from '../codes/issue-code.ts';
import type { IdentityContext } from '../context.ts';

type Arrival = By & {
  userId: number;
  redirectUri: URL;
  responseType: 'code' | 'none' | undefined;
};

/** Where the browser goes after a sign-in: back, with a one-time code unless `response_type` is none. */
export async function continueTo(
  identity: IdentityContext,
  arrival: Arrival,
): Promise<{ continue_to: string }> {
  const target = new URL(arrival.redirectUri);
  target.searchParams.delete('code');
  if (arrival.responseType !== 'none') {
    const code = await issueCode(identity, {
      userId: arrival.userId,
      method: arrival.method,
      source: arrival.source,
      redirectUri: arrival.redirectUri.href,
    });
    target.searchParams.set('code', code);
  }
  return { continue_to: target.href };
}
