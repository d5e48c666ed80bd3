import type { Browser, BrowserContext, Page } from 'playwright-core';
import { REQUESTED_WITH, REQUESTED_WITH_HEADER } from '../../../shared/constants.ts';
import { until } from '../../support/until.ts';
import { newAccount, signedIn, signUp } from '../support/account.ts';
import { CHIEF } from '../support/administrators.ts';
import { pluginPackage } from '../support/batch-files.ts';
import { hydrated, watchedPage } from '../support/page.ts';
import type { Facts, Who } from './screen.ts';

export type State = Awaited<ReturnType<BrowserContext['storageState']>>;
export type Stage = { facts: Facts; states: Readonly<Record<Who, State>> };

const NOBODY: State = { cookies: [], origins: [] };

type Call = { method?: string; path: string; body?: object; file?: string };

/** Calls the product as the person of the page does; answers the data. */
async function called<Data>(page: Page, { method = 'GET', path, body, file }: Call): Promise<Data> {
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

/** People of a product with the demo catalogue, and what its pages are about. */
export async function setStage(browser: Browser, origin: string): Promise<Stage> {
  const { page: member } = await watchedPage(browser, {});
  await member.goto(`${origin}/plugins/`);
  await hydrated(member);
  await signUp(member, newAccount('Mei Lin'));
  const chief = await signedIn(browser, origin, CHIEF);
  const { page: administrator } = await watchedPage(browser, {
    storageState: chief,
    expected: /status of 403/,
  });
  await administrator.goto(`${origin}/plugins/403`);

  const { plugin_key: ownKey } = await called<{ plugin_key: string }>(member, {
    method: 'POST',
    path: '/api/cmt/plugin',
    file: JSON.stringify(pluginPackage('Readable', { main: 'eval("1");' })),
  });
  const passed = { plugin_key: ownKey, audit_status: 2 };
  await called(administrator, { method: 'POST', path: '/api/cmt/plugin/audit/status', body: passed });
  await called(member, { method: 'POST', path: '/api/cmt/plugin/user', body: { plugin_key: ownKey } });
  const { tag_list } = await called<{ tag_list: { id: number }[] }>(member, {
    path: '/api/cmt/plugin/tag/list',
  });
  const { plugin_list } = await called<{ plugin_list: { plugin_key: string }[] }>(member, {
    path: '/api/cmt/plugin/list?sort=1',
  });
  const submissionId = await firstWaiting(administrator);
  const [plugin, tag] = [plugin_list[0], tag_list.find(({ id }) => id > 0)];
  if (!plugin || !tag) throw new Error('the catalogue is empty');
  const states = { visitor: NOBODY, member: await member.context().storageState(), administrator: chief };
  await Promise.all([member, administrator].map((page) => page.context().close()));
  return { facts: { pluginKey: plugin.plugin_key, tagId: tag.id, ownKey, submissionId }, states };
}

/** Id of the submission with code that waits longest; the demo submits its own while the product begins. */
async function firstWaiting(page: Page): Promise<number> {
  return until(async () => {
    const { audit_list } = await called<{ audit_list: { submission_id: number }[] }>(page, {
      path: '/api/cmt/plugin/audit/list?audit_status=1',
    });
    return audit_list[0]?.submission_id;
  });
}
