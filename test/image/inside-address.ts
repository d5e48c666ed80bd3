/** A test server's address for a program in a container: there is no name server, nor the authority's file. */
export function insideAddress(databaseUrl: string): string {
  const url = new URL(databaseUrl);
  url.hostname = '127.0.0.1';
  url.searchParams.delete('sslrootcert');
  url.searchParams.set('sslmode', 'no-verify');
  return url.href;
}
