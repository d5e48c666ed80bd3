import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { selfSigned } from '../support/certificate.ts';
import { until } from '../support/until.ts';
import { ADMIN } from './support/account.ts';
import { expect } from './support/expect.ts';
import { startHttpsFront } from './support/https-front.ts';
import { startLoginHost } from './support/login-host.ts';
import { newPage, openPage } from './support/page.ts';
import { ownDemo } from './support/product.ts';
import { dialog, form, liked, likes } from './support/sign-in-dialog.ts';

t.test('a login host on another site, with its cookies blocked', async (t) => {
  const tls = selfSigned();
  const folder = await mkdtemp(join(tmpdir(), 'plugin-square-ca-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  const authority = join(folder, 'ca.pem');
  await writeFile(authority, tls.cert);
  const host = await startLoginHost(t, { tls });
  const front = await startHttpsFront(t, tls);
  const { origin } = await ownDemo(t, {
    LOGIN_URL: host.url,
    PUBLIC_URL: front.publicUrl,
    UPSTREAM_CA: authority,
  });
  host.serve(origin, ADMIN);
  front.forwardTo(origin);
  const hasLoginFrame = async (): Promise<boolean> => {
    const page = await fetch(`${origin}/plugins/?${Math.random()}`);
    return (await page.text()).includes('"login_frame":true');
  };
  await until(hasLoginFrame);

  for (const needsCookie of [false, true]) {
    t.test(needsCookie ? 'it needs them' : 'it does not need them', async (t) => {
      if (needsCookie) host.demandCookie();
      const page = await newPage(t, { ignoreHTTPSErrors: true });
      const tools = await page.context().newCDPSession(page);
      await tools.send('Network.enable');
      await tools.send('Network.setCookieControls', { enableThirdPartyCookieRestriction: true });
      await openPage(page, `${front.publicUrl}/plugins/?fresh`);
      await likes(page).nth(1).click();
      const asked = Promise.withResolvers<void>();
      if (!needsCookie)
        await page.route('**/api/auth/session', (route) => asked.promise.then(() => route.continue()));
      await form(page).getByRole('button', { name: 'Let me in' }).click();
      if (needsCookie) {
        await form(page).getByText('Cookies are needed here.').waitFor();
        await dialog(page).getByRole('link', { name: 'Open the sign-in page' }).click();
        await page.getByRole('button', { name: 'Let me in' }).click();
      } else {
        const place = dialog(page).locator('[aria-busy=true]');
        await expect(
          place.locator('[aria-hidden=true]').first(),
          'no blank page while the session is read',
        ).toBeVisible();
        await expect(place.locator('iframe')).toHaveCSS('opacity', '0');
        asked.resolve();
      }
      await liked(page).waitFor();
      t.match(page.url(), `${front.publicUrl}/plugins/`);
      await dialog(page).waitFor({ state: 'detached' });
      // The toast may be drawn before the button.
      await t.resolves(page.locator('main [aria-pressed=true]').first().waitFor({ state: 'attached' }));
    });
  }
});
