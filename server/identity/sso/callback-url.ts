/** Where another sign-in page sends people back to. */
export function callbackUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/callback`;
}
