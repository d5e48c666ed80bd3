/** Names under which the analytics library keeps things, as cookies and in the browser's storages. */
const KEPT = /^(?:sa_?jssdk|(?:tab-)?sawebjssdk|sensors(?:data|[-_]))/;

/** Takes out of the browser whatever the analytics library has ever kept about its visitor. */
export function forgetVisitor(page: Document, storages: readonly Storage[]): void {
  for (const text of page.cookie.split('; ')) {
    const [name = ''] = text.split('=', 1);
    if (KEPT.test(name)) page.cookie = `${name}=; Path=/; Max-Age=0`;
  }
  for (const storage of storages)
    for (const name of Object.keys(storage)) if (KEPT.test(name)) storage.removeItem(name);
}
