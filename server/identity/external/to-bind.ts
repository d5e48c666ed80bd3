import { BIND_PATH, CALLBACK_PATH } from '../../../shared/constants.ts';

/**
 * Where a person goes to bind a sign-in to the account that has his e-mail address (specification section 2). The
 * gateway, which he has come from, leads him to the bind page and knows the page that he goes on to afterwards; from any
 * other address he goes there straight, and then on to it.
 */
export function toBind(publicUrl: string, redirectUri: URL, id: string): string {
  const onward = new URL(redirectUri);
  onward.searchParams.delete('code');
  if (onward.pathname === CALLBACK_PATH) {
    onward.searchParams.set('bind', id);
    return onward.href;
  }
  return `${publicUrl}${BIND_PATH}?${new URLSearchParams({ id, mainUrl: onward.href })}`;
}
