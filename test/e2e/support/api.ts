import type { Page } from 'playwright-core';
import { pluginPackage } from './publish-files.ts';

/** Calls the community service with the session of the page; a string body is sent as a package. Returns `data`. */
export function send(page: Page, method: string, path: string, body?: object | string) {
  return page.evaluate(
    async ({ method, path, body }) => {
      const form = new FormData();
      if (typeof body === 'string')
        form.append('code', new File([body], 'plugin.json', { type: 'application/json' }));
      const json = { 'content-type': 'application/json' };
      const answer = await fetch(`/api/cmt/${path}`, {
        method,
        headers: { 'x-requested-with': 'plugin-square', ...(typeof body !== 'string' && json) },
        body: typeof body === 'string' ? form : JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status}`);
      return (await answer.json()).data;
    },
    { method, path, body },
  );
}

type Permissions = { allowedDomains: string[]; permissions?: string[] };

/** A complete package that asks for permissions. */
export function packageAsking(
  name: string,
  version: string,
  { allowedDomains, permissions = [] }: Permissions,
): object {
  const manifest = { name, main: 'main.js', ui: 'ui.html', permissions, networkAccess: { allowedDomains } };
  return { ...pluginPackage(name, { version, main: `done(${JSON.stringify(version)});` }), manifest };
}

/** Submits a package with the session of the page; returns the plugin key. */
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
