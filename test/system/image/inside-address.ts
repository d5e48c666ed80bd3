/** Address of a test server for a program in a container, which has neither DNS nor the CA file. */
export function insideAddress(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('sslrootcert');
  url.searchParams.set('sslmode', 'no-verify');
  return url.href;
}
