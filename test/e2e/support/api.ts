import type { Page } from 'playwright-core';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { pluginPackage } from './publish-files.ts';

const headers = { [REQUESTED_WITH_HEADER]: REQUESTED_WITH };

/** Calls the community service with the session of a page; returns `data`. @param page of `signedInPage` */
export async function send(page: Page, method: string, path: string, data?: object) {
  const answer = await page.request.fetch(`/api/cmt/${path}`, { method, headers, data });
  if (!answer.ok()) throw new Error(`${method} ${path}: ${answer.status()} ${await answer.text()}`);
  return (await answer.json()).data;
}

/** Submits a package with the session of a page; returns the plugin key. */
export async function publish(
  page: Page,
  content: object,
  fields: Record<string, string> = {},
): Promise<string> {
  const buffer = Buffer.from(JSON.stringify(content));
  const code = { name: 'plugin.json', mimeType: 'application/json', buffer };
  const answer = await page.request.post('/api/cmt/plugin', { headers, multipart: { ...fields, code } });
  if (!answer.ok()) throw new Error(await answer.text());
  return (await answer.json()).data.plugin_key;
}

/** Decides about the newest submission of a plugin. @param page of an administrator */
export async function decide(page: Page, plugin_key: string, decision: object): Promise<void> {
  const { submission_id, version } = await send(page, 'GET', `plugin/edit?plugin_key=${plugin_key}`);
  await send(page, 'POST', 'plugin/audit/status', { plugin_key, submission_id, version, ...decision });
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
