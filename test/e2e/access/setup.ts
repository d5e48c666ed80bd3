import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { type Account, ADMIN, addAccount, newAccount, signedInPage } from '../support/account.ts';
import { publish, send } from '../support/api.ts';
import { newPage, type PageOptions } from '../support/page.ts';
import type { Product } from '../support/product.ts';
import { pluginPackage } from '../support/publish-files.ts';
import type { Role, ScreenData } from './screens.ts';

type Setup = { data: ScreenData; accounts: Readonly<Record<Role, Account | undefined>> };

/** Creates an account for each role, and data for the screens, in a product with the demo catalogue. */
export async function prepareScreens(t: Test, product: Product): Promise<Setup> {
  const accounts = {
    visitor: undefined,
    member: await addAccount(product, newAccount('Mei Lin')),
    administrator: ADMIN,
  };
  const member = await signedInPage(t, product, accounts.member);
  const administrator = await signedInPage(t, product, accounts.administrator);
  const ownKey = await publish(member, pluginPackage('Readable', { main: 'eval("1");' }));
  await product.reviewer.pass(ownKey);
  await send(member, 'POST', 'plugin/user', { plugin_key: ownKey });
  const { tag_list }: { tag_list: { id: number }[] } = await send(member, 'GET', 'plugin/tag/list');
  const { plugin_list } = await send(member, 'GET', 'plugin/list?sort=1');
  const { audit_list } = await send(administrator, 'GET', 'plugin/audit/list?audit_status=1');
  const tag = tag_list.find(({ id }) => id > 0);
  if (!tag) throw new Error('the catalogue has no tags');
  const data = {
    pluginKey: plugin_list[0].plugin_key,
    handle: plugin_list[0].publisher.handle,
    tagId: tag.id,
    ownKey,
    submissionId: audit_list[0].submission_id,
  };
  return { data, accounts };
}

/** A page of a user of this role. */
export function pageAs(
  t: Test,
  product: Product,
  account: Account | undefined,
  options: PageOptions,
): Promise<Page> {
  return account ? signedInPage(t, product, account, options) : newPage(t, options);
}
