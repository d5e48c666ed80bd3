import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import t from 'tap';
import { adminPage } from './support/account.ts';
import { openScreen } from './support/backstage.ts';
import { expect } from './support/expect.ts';
import { sharedBackstage } from './support/product.ts';
import { addSubmission } from './support/submissions.ts';

const product = await sharedBackstage();
const { origin, db } = product;
const page = await adminPage(t, product);

const findings = [
  {
    code: 'EVAL_USED',
    severity: 'warning' as const,
    pointer: '/files/main.js',
    file: 'main.js',
    line: 3,
    column: 1,
    message: 'eval',
    params: { found: 'eval' },
  },
  {
    code: 'KEY_UNKNOWN',
    severity: 'warning' as const,
    pointer: '/manifest/name',
    line: 90,
    column: 3,
    message: 'name',
    params: { key: 'name' },
  },
];
const tag = await db.selectFrom('tag').select(['code', 'name']).orderBy('id').executeTakeFirstOrThrow();
const ids = {
  first: await addSubmission(db, {
    plugin: 20,
    name: 'Heron One',
    version: '90.0.0',
    findings,
    listing: { tags: [tag.code] },
    hours: 800,
  }),
  listing: await addSubmission(db, {
    plugin: 22,
    name: 'Heron One',
    version: '90.0.0',
    findings: ['/name/en-US', '/listing/support', '/tags/0', '/listing/versionNote', '/media/0'].map(
      (pointer) => ({ code: 'OF_A_LATER_RELEASE', severity: 'notice', pointer, message: 'Look here.' }),
    ),
    hours: 798,
  }),
  second: await addSubmission(db, { plugin: 21, name: 'Heron Two', version: '90.0.0', hours: 799 }),
};
/** Sets the domains of the published and the submitted version. */
async function setDomains(id: number, published: string[], submitted: string[]): Promise<void> {
  const { plugin_id } = await db
    .selectFrom('submission')
    .select('plugin_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const set = (allowed_domains: string[]) =>
    db.updateTable('plugin_version').set({ allowed_domains }).where('plugin_id', '=', plugin_id);
  await set(published).where('version', '<>', '90.0.0').execute();
  await set(submitted).where('version', '=', '90.0.0').execute();
}
await setDomains(ids.first, ['a.example', 'b.example'], ['b.example', '*.c.example']);
await setDomains(ids.second, ['*'], ['c.example']);
await setDomains(ids.listing, [], ['a.example', 'b.example', 'c.example']);

/** The marked line: its file and text, whether it is visible, and whether it has the focus. */
const sought = (of: Page) =>
  of.evaluate(() => {
    for (const host of document.querySelectorAll('[role=tabpanel] li div')) {
      const line = host.shadowRoot?.querySelector('.cm-sought');
      if (!line || !host.shadowRoot) continue;
      const { top, bottom } = line.getBoundingClientRect();
      const content = line.closest('.cm-content');
      return {
        label: content?.getAttribute('aria-label'),
        text: line.textContent,
        isVisible: top >= 0 && bottom <= innerHeight && bottom > top,
        hasFocus: host.shadowRoot.activeElement === content,
      };
    }
    return undefined;
  });
const untilSought = (of: Page) =>
  of.waitForFunction(() =>
    [...document.querySelectorAll('[role=tabpanel] li div')].some((host) => {
      const line = host.shadowRoot?.querySelector('.cm-sought');
      const { top = -1, bottom = Infinity } = line?.getBoundingClientRect() ?? {};
      return top >= 0 && bottom <= innerHeight;
    }),
  );

t.test('new permissions are shown on top, with the question for users', async (t) => {
  await openScreen(page, origin, `audit-list/${ids.first}`);
  const block = page.getByRole('region', { name: /^Permissions/ });
  await block.getByText('Installers will be asked to accept: *.c.example').waitFor();
  t.match(await block.getByRole('insertion').allTextContents(), [/Added: \*\.c\.example$/]);
  t.match(await block.getByRole('deletion').allTextContents(), [/Removed: a\.example$/]);
  t.match(await block.getByRole('listitem').allTextContents(), [/c\.example/, /a\.example/, 'b.example']);
  const places = [block, page.getByRole('tablist', { name: 'Review sections' })].map((part) =>
    part.boundingBox(),
  );
  const [above, below] = await Promise.all(places);
  t.ok((above?.y ?? 0) < (below?.y ?? 0), 'above the tabs');
  await openScreen(page, origin, `audit-list/${ids.second}`);
  await block.getByText('Installers get it automatically').waitFor();
  t.match(await block.getByRole('deletion').allTextContents(), [/Removed: any website$/, /Removed: pixso$/]);
});

t.test('domains are separated, also in languages without spaces', async (t) => {
  const speak = (value: string) => page.context().addCookies([{ name: 'lang', value, url: origin }]);
  await speak('zh-CN');
  t.teardown(() => speak('en-US'));
  await openScreen(page, origin, `audit-list/${ids.listing}`);
  const block = page.getByRole('region', { name: /^权限/ });
  await block.getByText('已安装的用户需要同意：a.example、b.example和c.example').waitFor();
});

t.test('tags are named in the listing’s difference', async (t) => {
  await openScreen(page, origin, `audit-list/${ids.first}?part=listing`);
  const tags = page.getByRole('tabpanel').locator('dl > div').filter({ hasText: /^Tags/ });
  await tags.waitFor();
  await expect(tags).toContainText(tag.name['en-US'] ?? '');
  t.notOk((await tags.textContent())?.includes(tag.code));
});

t.test('a finding links to its line by keyboard, and the next submission opens its first tab', async (t) => {
  await openScreen(page, origin, `audit-list/${ids.first}`);
  await page
    .getByRole('tabpanel')
    .getByRole('link', { name: /main\.js.*Line 3/ })
    .focus();
  await page.keyboard.press('Enter');
  await untilSought(page);
  t.hasStrict(await sought(page), { label: 'main.js, line 3', isVisible: true, hasFocus: true });
  await page.goBack();
  await page
    .getByRole('tabpanel')
    .getByRole('link', { name: /manifest\/name/ })
    .click();
  await untilSought(page);
  t.match(await sought(page), {
    label: /^manifest\.json, line \d+/,
    text: /"name":/,
    isVisible: true,
    hasFocus: true,
  });
  // The key does nothing before the list of submissions is loaded.
  await page.getByRole('button', { name: 'Next', exact: true, disabled: false }).waitFor();
  await page.keyboard.press('j');
  await page.getByRole('heading', { level: 1 }).filter({ hasText: 'Heron Two' }).waitFor();
  await expect(page.getByRole('tab', { name: /^Check/ })).toHaveAttribute('aria-selected', 'true');
  t.equal(await page.evaluate(() => scrollY), 0);
});

/** The marked field of a finding about the listing, whether it is visible, and whether it has the focus. */
const soughtField = (of: Page) =>
  of.evaluate(() => {
    const field = document.activeElement;
    const { top = -1, bottom = -1 } = field?.getBoundingClientRect() ?? {};
    const isHigh = bottom - top > innerHeight / 2;
    const isVisible = top >= 0 && top < innerHeight && bottom > top && (isHigh || bottom <= innerHeight);
    return { text: field?.textContent, isVisible };
  });

t.test('a finding about the listing links to its field by keyboard, changed or not', async (t) => {
  await page.setViewportSize({ width: 1280, height: 420 });
  for (const [place, text] of [
    ['/name/en-US', /^NameEnglish.*Heron .*One$/],
    ['/listing/support', /^Technical support/],
    ['/tags/0', /^Tags/],
    ['/listing/versionNote', /^What’s new in 90\.0\.0.*Faster than before$/],
    ['/media/0', /^Images and videos/],
  ] as const) {
    await openScreen(page, origin, `audit-list/${ids.listing}`);
    const link = page.getByRole('tabpanel').getByRole('link', { name: place, exact: true });
    await link.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('tab', { name: 'Listing', selected: true }).waitFor();
    await page.waitForFunction(() => document.activeElement?.matches('#part [tabindex="-1"]'));
    t.match(await soughtField(page), { text, isVisible: true }, place);
  }
  await page.setViewportSize({ width: 1280, height: 720 });
});

t.test('a large file is shown for a finding in it, in both layouts', async (t) => {
  const library = await readFile(new URL('../../package-lock.json', import.meta.url), 'utf8');
  const lines = library.slice(0, 900_000).split('\n');
  const answer = (change: string, before: string | null) => ({
    code: 0,
    message: 'ok',
    data: {
      passed_version: before === null ? null : '1.0.0',
      file_list: [{ kind: 'file', name: 'main.js', change, before, after: lines.join('\n'), is_cut: false }],
    },
  });
  for (const [change, before] of [
    ['added', null],
    ['changed', 'old\n'],
  ] as const) {
    await page.route('**/plugin/audit/code?*', (route) => route.fulfill({ json: answer(change, before) }));
    await openScreen(page, origin, `audit-list/${ids.first}?part=code&finding=0`);
    await untilSought(page);
    t.hasStrict(await sought(page), { text: lines[2], isVisible: true, hasFocus: true }, change);
    const split = page.getByRole('radio', { name: 'Side by side' });
    await expect(split, 'a new file has no previous version').toHaveCount(change === 'changed' ? 1 : 0);
    if (change === 'changed') {
      await split.click();
      await page.waitForFunction(
        () =>
          [...document.querySelectorAll('[role=tabpanel] li div')].filter((host) =>
            host.shadowRoot?.querySelector('.cm-merge-b .cm-sought'),
          ).length === 1,
      );
      await untilSought(page);
      t.hasStrict(await sought(page), { text: lines[2], isVisible: true, hasFocus: false });
      await expect(split, 'the focus is kept').toBeFocused();
      for (const name of ['main.js, before', 'main.js, line 3'])
        await expect(page.getByRole('textbox', { name, exact: true }), name).toHaveCount(1);
      await page.getByRole('tab', { name: /^Check/ }).click();
      await page
        .getByRole('tabpanel')
        .getByRole('link', { name: /main\.js.*Line 3/ })
        .click();
      await page.getByRole('radio', { name: 'Side by side', checked: true }).waitFor();
      await untilSought(page);
      t.hasStrict(await sought(page), {
        label: 'main.js, line 3',
        text: lines[2],
        isVisible: true,
        hasFocus: true,
      });
      await expect(page.getByRole('textbox', { name: 'main.js, before', exact: true })).toHaveCount(1);
    }
    await page.unroute('**/plugin/audit/code?*');
  }
});
