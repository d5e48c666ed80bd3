import t from 'tap';
import { frameAddress } from '../../packages/sandbox/domains.ts';
import { startGateway } from '../support/gateway.ts';

const SITE = 'https://square.example';
const PLAYGROUND = 'https://play.example';
const FRAME = new URL(frameAddress(`${PLAYGROUND}/`, ['api.example.com']));
const AT_PLAYGROUND = { headers: { host: 'play.example' } };

t.test('the playground', async (t) => {
  const gateway = await startGateway(t, { settings: { PUBLIC_URL: SITE, PLAYGROUND_ORIGIN: PLAYGROUND } });
  const browser = gateway.browser();
  const path = FRAME.pathname + FRAME.search;

  t.test('its origin has the frame document, which only the site may frame', async (t) => {
    const { status, headers, setCookies, text } = await browser.visit(path, AT_PLAYGROUND);
    t.equal(status, 200);
    t.equal(headers['content-type'], 'text/html; charset=utf-8');
    t.match(headers['content-security-policy'], /^sandbox allow-scripts; default-src 'none'; /);
    t.match(
      headers['content-security-policy'],
      '; connect-src https://api.example.com wss://api.example.com; ',
    );
    t.match(headers['content-security-policy'], /; frame-ancestors https:\/\/square\.example$/);
    t.equal(headers['referrer-policy'], 'no-referrer');
    t.strictSame(setCookies, []);
    t.match(text, /^<!doctype html>\n<html>/);
  });

  t.test('and nothing else of the site', async (t) => {
    const other = ['/plugins/', '/api/cmt/plugin/list', '/user/login', '/robots.txt', '/plugins/assets/x.js'];
    for (const at of other) {
      const { status, json } = await browser.visit(at, AT_PLAYGROUND);
      t.strictSame([status, json().code], [404, 'NOT_FOUND'], at);
    }
    const posted = await browser.call(path, { method: 'POST', ...AT_PLAYGROUND });
    t.equal(posted.status, 404);
    const { status, headers } = await browser.visit('/?version=1&domain=x;script-src', AT_PLAYGROUND);
    t.equal(status, 400);
    t.equal(headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'; sandbox");
    t.strictSame(gateway.community.requests, [], 'no service was asked');
  });

  t.test('the site does not have the frame document, and its pages may frame the playground', async (t) => {
    const root = await browser.visit(path, { headers: { host: 'square.example' } });
    t.strictSame([root.status, root.headers.location], [302, '/plugins/']);
    const page = await browser.visit('/plugins/');
    t.match(page.headers['content-security-policy'], `; frame-src 'self' ${PLAYGROUND}; `);
    t.match(page.text, `"playground_origin":"${PLAYGROUND}"`);
    const without = await startGateway(t, { settings: { PUBLIC_URL: SITE } });
    const plain = await without.browser().visit('/plugins/');
    t.match(plain.headers['content-security-policy'], "; frame-src 'self'; ");
    t.notMatch(plain.text, 'playground_origin');
    t.equal((await without.browser().visit(path, AT_PLAYGROUND)).status, 302, 'as any other host');
  });

  t.test('one of the site itself, which a plugin could stop in some browsers, is warned of', async (t) => {
    const warningsOf = async (site: string, playground: string) => {
      const settings = { PUBLIC_URL: site, PLAYGROUND_ORIGIN: playground };
      const { lines } = await startGateway(t, { settings, share: gateway });
      return lines().flatMap(({ level, msg }) => (level === 'warn' ? [msg] : []));
    };
    const warning =
      'PLAYGROUND_ORIGIN seems to be of the same site as PUBLIC_URL: in some browsers a plugin can stop the page';
    for (const [site, playground] of [
      ['https://square.example', 'https://square.example:8443'],
      ['https://square.example', 'https://play.square.example'],
      ['https://www.square.example', 'https://play.square.example'],
      ['http://localhost:8080', 'http://localhost:8081'],
    ] as const)
      t.strictSame(await warningsOf(site, playground), [warning], playground);
    for (const [site, playground] of [
      ['https://square.example', 'https://square-play.example'],
      ['http://10.1.0.1:8080', 'http://10.2.0.1:8080'],
      ['http://localhost:8080', 'http://127.0.0.1:8080'],
    ] as const)
      t.strictSame(await warningsOf(site, playground), [], playground);
  });
});
