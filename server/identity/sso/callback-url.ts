/** Where another sign-in page sends people back to. */
export function callbackUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/callback`;
}

/** Where a method's document about us is, for the administrators of the other side. */
export function metadataUrl(publicUrl: string, source: string): string {
  return `${publicUrl}/user/sso/${source}/metadata`;
}
