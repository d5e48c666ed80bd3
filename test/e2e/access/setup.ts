import type { Browser, BrowserContext, Page } from 'playwright-core';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { until } from '../../support/until.ts';
import { newAccount, openSignedUp, signedIn } from '../support/account.ts';
import { CHIEF } from '../support/administrators.ts';
import { watchedPage } from '../support/page.ts';
import { pluginPackage } from '../support/publish-files.ts';
import type { Role, ScreenData } from './screens.ts';

type Session = Awaited<ReturnType<BrowserContext['storageState']>>;
type Setup = { data: ScreenData; sessions: Readonly<Record<Role, Session>> };

const NO_SESSION: Session = { cookies: [], origins: [] };

type Call = { method?: string; path: string; body?: object; file?: string };

/** Calls the product with the session of the page; returns `data`. */
async function callApi<Data>(page: Page, { method = 'GET', path, body, file }: Call): Promise<Data> {
  const headers = { [REQUESTED_WITH_HEADER]: REQUESTED_WITH };
  const content =
    file === undefined
      ? { data: body }
      : {
          multipart: {
            code: { name: 'plugin.json', mimeType: 'application/json', buffer: Buffer.from(file) },
          },
        };
  const answer = await page.request.fetch(new URL(path, page.url()).href, { method, headers, ...content });
  const { data } = await answer.json();
  if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}`);
  return data;
}

/** Creates a session for each role, and data for the screens, in a product with the demo catalogue. */
export async function prepareScreens(browser: Browser, origin: string): Promise<Setup> {
  const { page: member } = await watchedPage(browser, {});
  await openSignedUp(member, origin, newAccount('Mei Lin'));
  const chief = await signedIn(browser, origin, CHIEF);
  const { page: administrator } = await watchedPage(browser, {
    storageState: chief,
    expected: /status of 403/,
  });
  await administrator.goto(`${origin}/plugins/403`);

  const { plugin_key: ownKey } = await callApi<{ plugin_key: string }>(member, {
    method: 'POST',
    path: '/api/cmt/plugin',
    file: JSON.stringify(pluginPackage('Readable', { main: 'eval("1");' })),
  });
  const approval = { plugin_key: ownKey, audit_status: 2 };
  await callApi(administrator, { method: 'POST', path: '/api/cmt/plugin/audit/status', body: approval });
  await callApi(member, { method: 'POST', path: '/api/cmt/plugin/user', body: { plugin_key: ownKey } });
  const { tag_list } = await callApi<{ tag_list: { id: number }[] }>(member, {
    path: '/api/cmt/plugin/tag/list',
  });
  const { plugin_list } = await callApi<{ plugin_list: { plugin_key: string }[] }>(member, {
    path: '/api/cmt/plugin/list?sort=1',
  });
  const submissionId = await firstSubmission(administrator);
  const [plugin, tag] = [plugin_list[0], tag_list.find(({ id }) => id > 0)];
  if (!plugin || !tag) throw new Error('the catalogue is empty');
  const sessions = {
    visitor: NO_SESSION,
    member: await member.context().storageState(),
    administrator: chief,
  };
  await Promise.all([member, administrator].map((page) => page.context().close()));
  return { data: { pluginKey: plugin.plugin_key, tagId: tag.id, ownKey, submissionId }, sessions };
}

/** Id of the oldest submission in the queue; the demo publishes in the background while the product starts. */
async function firstSubmission(page: Page): Promise<number> {
  return until(async () => {
    const { audit_list } = await callApi<{ audit_list: { submission_id: number }[] }>(page, {
      path: '/api/cmt/plugin/audit/list?audit_status=1',
    });
    return audit_list[0]?.submission_id;
  });
}
