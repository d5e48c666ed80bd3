import type { Page } from 'playwright-core';
import { pluginPackage } from './batch-files.ts';

type Asks = { allowedDomains: string[]; permissions?: string[] };

/** A complete package that asks for something. */
export function packageAsking(
  name: string,
  version: string,
  { allowedDomains, permissions = [] }: Asks,
): object {
  const manifest = { name, main: 'main.js', ui: 'ui.html', permissions, networkAccess: { allowedDomains } };
  return { ...pluginPackage(name, { version, main: `done(${JSON.stringify(version)});` }), manifest };
}

/** Submits a package as the person on the page; answers the plugin's key. */
export function publish(page: Page, content: object, fields: Record<string, string> = {}): Promise<string> {
  return page.evaluate(
    async ({ text, fields }) => {
      const form = new FormData();
      for (const [name, value] of Object.entries(fields)) form.append(name, value);
      form.append('code', new File([text], 'plugin.json', { type: 'application/json' }));
      const headers = { 'x-requested-with': 'plugin-square' };
      const answer = await fetch('/api/cmt/plugin', { method: 'POST', headers, body: form });
      const body = await answer.json();
      if (!answer.ok) throw new Error(JSON.stringify(body));
      return body.data.plugin_key;
    },
    { text: JSON.stringify(content), fields },
  );
}
