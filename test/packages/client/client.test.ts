import { exportJWK, generateKeyPair } from 'jose';
import t from 'tap';
import { type ClientOptions, createClient, isClientError } from '../../../packages/client/src/index.ts';
import type { ClientStorage } from '../../../packages/client/src/storage.ts';
import { memoryStorage } from '../../../packages/client/src/storage.ts';
import { PUBLIC_URL } from '../../support/identity.ts';
import { REDIRECT_URI, TOOL } from '../../support/tool.ts';
import { startSite } from './site.ts';

const SCOPE = ['plugins:read', 'plugins:install'];
const STATE = '/api/cmt/plugin/user/state';

t.test('a tool and its site', async (t) => {
  const site = await startSite(t);
  const { edge } = site;
  const beginning = { redirectUri: REDIRECT_URI, scope: SCOPE };

  /** A tool, and what it was told, in order. */
  function newTool(options: Partial<ClientOptions> = {}) {
    const storage: ClientStorage = options.storage ?? memoryStorage();
    const client = createClient({
      site: PUBLIC_URL,
      clientId: TOOL.client_id,
      fetch: site.fetch,
      language: 'en-US',
      ...options,
      storage,
    });
    const told: string[] = [];
    client.on('installed', ({ plugin }) => told.push(`installed ${plugin.plugin_key} ${plugin.version}`));
    client.on('update', ({ plugin, kind }) =>
      told.push(
        `${kind} ${plugin.plugin_key} ${kind === 'offered' ? plugin.update?.version : plugin.version}`,
      ),
    );
    client.on('withdrawn', ({ plugin, withdrawal }) =>
      told.push(`withdrawn ${plugin.plugin_key} ${withdrawal.reason}`),
    );
    client.on('removed', ({ plugin }) => told.push(`removed ${plugin.plugin_key}`));
    client.on('refused', ({ plugin, error }) => told.push(`refused ${plugin.plugin_key} ${error.code}`));
    const seen = () => told.splice(0);
    return { client, storage, seen };
  }
  async function signedInTool(options: Partial<ClientOptions> = {}) {
    const tool = newTool(options);
    const { url } = await tool.client.beginSignIn(beginning);
    await tool.client.completeSignIn(await site.answerTool(url));
    return tool;
  }
  const failureOf = async (work: Promise<unknown>): Promise<string> => {
    const error: unknown = await work.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return isClientError(error) ? [error.code, error.reason].filter(Boolean).join(' ') : String(error);
  };
  t.afterEach(() => {
    edge.answer = undefined;
    edge.asked.length = 0;
  });

  t.test('a sign-in works once, and only where it was begun', async (t) => {
    const { client } = newTool();
    t.equal(await failureOf(client.sync()), 'SIGNED_OUT');
    const { url, state } = await client.beginSignIn(beginning);
    const back = await site.answerTool(url);
    t.equal(new URL(back).searchParams.get('state'), state);
    t.equal(await failureOf(newTool().client.completeSignIn(back)), 'SIGN_IN_INVALID', 'in another tool');
    const forged = new URL(back);
    forged.searchParams.set('iss', 'https://thief.example');
    const other = await client.beginSignIn(beginning);
    const otherBack = new URL(await site.answerTool(other.url));
    otherBack.searchParams.set('iss', 'https://thief.example');
    t.equal(await failureOf(client.completeSignIn(otherBack.href)), 'SIGN_IN_INVALID', 'of another server');
    await client.completeSignIn(back);
    t.equal(await client.isSignedIn(), true);
    t.equal(await failureOf(client.completeSignIn(back)), 'SIGN_IN_INVALID', 'a second time');
    const refused = await client.beginSignIn(beginning);
    const answer = await site.answerTool(refused.url, 'refuse');
    t.equal(await failureOf(client.completeSignIn(answer)), 'SIGN_IN_REFUSED access_denied');
  });

  t.test('what is installed in the store can be run, and is asked for once', async (t) => {
    const { text, digest } = await site.publish('first-plugin', '1.0.1', { domains: ['api.example.com'] });
    const { client, seen } = await signedInTool();
    t.strictSame(await client.sync(), []);
    t.equal((await site.storeCall('POST', 'first-plugin')).status, 200);
    const [plugin] = await client.sync();
    t.strictSame(seen(), ['installed first-plugin 1.0.1']);
    t.equal(plugin?.runnable?.package.digest, digest);
    const { bytes, approval } = await client.open('first-plugin');
    t.equal(new TextDecoder().decode(bytes), text);
    t.strictSame(approval, {
      version: '1.0.1',
      digest,
      size: text.length,
      permissions: [],
      domains: ['api.example.com'],
      host_range: null,
    });
    edge.asked.length = 0;
    let status = 0;
    edge.answer = async (_path, _request, pass) => {
      const answer = await pass();
      ({ status } = answer);
      return answer;
    };
    t.strictSame(await client.sync(), [plugin]);
    t.equal(status, 304);
    t.strictSame(edge.asked, [`GET ${STATE}`], 'the package is not loaded again');
    t.strictSame(seen(), []);
    await client.uninstall('first-plugin');
    t.strictSame(seen(), ['removed first-plugin']);
    t.equal(await failureOf(client.open('first-plugin')), 'NOT_INSTALLED');
    await client.install('first-plugin');
    t.strictSame(seen(), ['installed first-plugin 1.0.1']);
  });

  t.test('an update is applied, one with more rights is offered', async (t) => {
    await site.publish('moving-plugin', '1.0.1');
    const { client, seen } = await signedInTool();
    await client.install('moving-plugin');
    seen();
    await site.publish('moving-plugin', '1.1.0');
    await client.sync();
    t.strictSame(seen(), ['applied moving-plugin 1.1.0']);
    const { text } = await site.publish('moving-plugin', '2.0.0', { domains: ['more.example.com'] });
    await client.sync();
    t.strictSame(seen(), ['offered moving-plugin 2.0.0']);
    t.equal((await client.open('moving-plugin')).approval.version, '1.1.0', 'until the user accepts');
    await client.sync();
    t.strictSame(seen(), [], 'told once');
    await client.acceptUpdate('moving-plugin', '2.0.0');
    t.strictSame(seen(), ['applied moving-plugin 2.0.0']);
    const { bytes, approval } = await client.open('moving-plugin');
    t.equal(new TextDecoder().decode(bytes), text);
    t.strictSame(approval.domains, ['more.example.com']);
  });

  t.test('what is withdrawn stops, by the state or by the changes alone', async (t) => {
    for (const key of ['bad-plugin', 'worse-plugin', 'kept-plugin']) {
      await site.publish(key, '1.0.1');
      t.equal((await site.storeCall('POST', key)).status, 200);
    }
    const { client, storage, seen } = await signedInTool();
    await client.readChanges();
    const installed = await client.sync();
    seen();
    await site.withdraw('bad-plugin');
    await client.sync();
    t.strictSame(seen(), ['withdrawn bad-plugin malware']);
    t.equal(await failureOf(client.open('bad-plugin')), 'WITHDRAWN malware');
    const bad = installed.find(({ plugin_key }) => plugin_key === 'bad-plugin')?.runnable;
    if (!bad) throw new Error('it could be run before');
    t.equal(await storage.get(`package/${bad.package.digest}`), undefined, 'nothing of it is kept');
    t.equal(await failureOf(client.load(bad)), 'WITHDRAWN malware', 'nobody gets it any more');
    edge.asked.length = 0;
    await site.withdraw('worse-plugin', { version: '1.0.1', reason: 'vulnerable' });
    await client.readChanges();
    t.strictSame(seen(), ['withdrawn worse-plugin vulnerable']);
    t.match(edge.asked, [/^GET \/api\/cmt\/plugin\/changes\?after=\d+$/], 'no call about the person');
    t.equal(await failureOf(client.open('worse-plugin')), 'WITHDRAWN policy');
    await site.withdraw('kept-plugin', { must_stop: false, reason: 'publisher' });
    await client.sync();
    t.match(seen(), ['withdrawn kept-plugin publisher']);
    t.equal((await client.open('kept-plugin')).approval.version, '1.0.1', 'it may be kept');
  });

  t.test('hostile answers are refused, and what was checked before goes on', async (t) => {
    const first = await site.publish('honest-plugin', '1.0.1');
    const { client, seen } = await signedInTool();
    await client.install('honest-plugin');
    seen();
    const second = await site.publish('honest-plugin', '1.1.0');
    const path = `/api/cmt/package/${second.digest}`;
    const inState = (change: (text: string) => string) => {
      edge.answer = async (asked, _request, pass) => {
        const answer = await pass();
        if (asked !== STATE || answer.status !== 200) return answer;
        return new Response(change(await answer.text()), { headers: { 'content-type': 'application/json' } });
      };
    };
    const inPackage = (body: BodyInit) => {
      edge.answer = async (asked, _request, pass) => (asked === path ? new Response(body) : pass());
    };
    const attacks: [string, () => void, string][] = [
      ['another byte', () => inPackage(second.text.replace('1.1.0', '1.1.X')), 'DIGEST_WRONG'],
      ['more bytes', () => inPackage(`${second.text} `), 'DIGEST_WRONG'],
      [
        'no signature',
        () => inState((text) => text.replaceAll(/"signature":"[^"]+"/g, '"signature":null')),
        'NOT_SIGNED',
      ],
      [
        'a changed signature',
        () => inState((text) => text.replaceAll(/("signature":"[\w-]+\.[\w-]+\.)../g, '$1AA')),
        'SIGNATURE_INVALID',
      ],
      [
        'the signature of another version',
        () => inState((text) => text.replaceAll('"version":"1.1.0"', '"version":"9.0.0"')),
        'SIGNATURE_INVALID',
      ],
      [
        'the approved package of another version',
        () =>
          inState((text) =>
            text
              .replaceAll(second.digest, first.digest)
              .replaceAll(`"size":${second.text.length}`, `"size":${first.text.length}`),
          ),
        'SIGNATURE_INVALID',
      ],
    ];
    for (const [attack, begin, code] of attacks) {
      const tool = await signedInTool();
      begin();
      await tool.client.sync();
      edge.answer = undefined;
      t.match(
        tool.seen().filter((line) => line.includes('honest-plugin')),
        [`refused honest-plugin ${code}`],
        attack,
      );
      t.equal(await failureOf(tool.client.open('honest-plugin')), 'NOT_INSTALLED', attack);
    }
    inPackage(second.text.replace('1.1.0', '6.6.6'));
    await client.sync();
    t.strictSame(seen(), ['refused honest-plugin DIGEST_WRONG']);
    t.equal((await client.open('honest-plugin')).approval.version, '1.0.1', 'the former one stays');
    inPackage('cut short by somebody');
    await client.sync();
    t.strictSame(seen(), [], 'nothing is known of a part');
    edge.answer = undefined;
    await client.sync();
    t.strictSame(seen(), ['applied honest-plugin 1.1.0'], 'a wrong part does not spoil the next download');
  });

  t.test('keys', async (t) => {
    await site.publish('keyed-plugin', '1.0.1');
    t.equal((await site.storeCall('POST', 'keyed-plugin')).status, 200);
    const { publicKey } = await generateKeyPair('EdDSA');
    const keys = { keys: [{ ...(await exportJWK(publicKey)), kid: 'mine', alg: 'EdDSA' }] };
    const other = await signedInTool({ keys });
    await other.client.sync();
    t.ok(other.seen().includes('refused keyed-plugin KEY_UNKNOWN'), 'only pinned keys count');
    t.notOk(edge.asked.includes('GET /.well-known/plugin-square/keys.json'), 'and no others are asked for');
    const published: typeof keys = await (
      await site.fetch(`${PUBLIC_URL}/.well-known/plugin-square/keys.json`)
    ).json();
    const pinned = await signedInTool({ keys: published });
    await pinned.client.sync();
    t.ok(pinned.seen().includes('installed keyed-plugin 1.0.1'));
    const swapped = await signedInTool();
    edge.answer = async (path, _request, pass) =>
      path === '/.well-known/plugin-square/keys.json' ? Response.json(keys) : pass();
    await swapped.client.sync();
    t.ok(swapped.seen().includes('refused keyed-plugin KEY_UNKNOWN'), 'keys of somebody else');
  });

  t.test('without a network it works with what it has', async (t) => {
    const { text } = await site.publish('offline-plugin', '1.0.1');
    const { client, storage, seen } = await signedInTool();
    await client.install('offline-plugin');
    seen();
    edge.asked.length = 0;
    edge.answer = async () => {
      throw new TypeError('fetch failed');
    };
    t.equal(await failureOf(client.sync()), 'OFFLINE');
    const again = newTool({ storage });
    t.equal(await again.client.isSignedIn(), true);
    t.ok((await again.client.installed()).some(({ plugin_key }) => plugin_key === 'offline-plugin'));
    const { bytes } = await again.client.open('offline-plugin');
    t.equal(new TextDecoder().decode(bytes), text);
    t.strictSame(edge.asked, []);
    const name = (await storage.names()).find((one) => one.startsWith('package/')) ?? '';
    await storage.set(name, new TextEncoder().encode('changed on the disk'));
    const opened = (await again.client.installed()).find(({ runnable }) =>
      name.endsWith(`${runnable?.package.digest}`),
    );
    t.equal(await failureOf(again.client.open(opened?.plugin_key ?? '')), 'DIGEST_WRONG');
  });

  t.test('a download that is cut goes on where it was', async (t) => {
    const { text, digest } = await site.publish('large-plugin', '1.0.1');
    const { client, storage, seen } = await signedInTool();
    await client.sync();
    const path = `/api/cmt/package/${digest}`;
    const ranges: (string | null)[] = [];
    let cuts = 0;
    edge.answer = async (asked, request, pass) => {
      const answer = await pass();
      if (asked !== path) return answer;
      ranges.push(new Headers(request.headers).get('range'));
      if (ranges.length > cuts) return answer;
      const whole = await answer.text();
      const { status, headers } = answer;
      let isSent = false;
      const body = new ReadableStream({
        pull(controller) {
          if (isSent) return controller.error(new TypeError('terminated'));
          isSent = true;
          controller.enqueue(new TextEncoder().encode(whole.slice(0, 10)));
        },
      });
      return new Response(body, { status, headers });
    };
    cuts = 3;
    await client.install('large-plugin');
    t.strictSame(ranges, [null, 'bytes=10-', 'bytes=20-']);
    t.strictSame(
      seen().filter((line) => line.includes('large')),
      [],
      'nothing is told of a package that is not there',
    );
    t.equal((await storage.get(`part/${digest}`))?.length, 30);
    await client.sync();
    t.equal(ranges.at(-1), 'bytes=30-', 'also the next time');
    t.strictSame(seen(), ['installed large-plugin 1.0.1']);
    t.equal(new TextDecoder().decode((await client.open('large-plugin')).bytes), text);
    t.equal(await storage.get(`part/${digest}`), undefined);
  });

  t.test('changes go on where they were, and begin again after a restored backup', async (t) => {
    const { client } = newTool();
    const restarts: boolean[] = [];
    client.on('changes', ({ isRestart }) => restarts.push(isRestart));
    site.forgetAnswers();
    const all = await client.readChanges();
    t.ok(all.length > 3);
    t.strictSame(await client.readChanges(), []);
    await site.publish('newest-plugin', '1.0.1');
    site.forgetAnswers();
    t.strictSame(
      (await client.readChanges()).map(({ plugin_key }) => plugin_key),
      ['newest-plugin'],
    );
    edge.answer = async (path, _request, pass) =>
      path.includes('after=0') || !path.includes('/changes')
        ? pass()
        : Response.json({ code: 'BAD_CURSOR', message: 'no' }, { status: 400 });
    t.equal((await client.readChanges()).length, all.length + 1);
    t.strictSame(restarts, [true, false, true]);
  });

  t.test('tokens are renewed once, and gone after a sign-out', async (t) => {
    let ahead = 0;
    const { client, storage } = await signedInTool({ now: () => Date.now() + ahead });
    ahead = 20 * 60_000;
    edge.asked.length = 0;
    await Promise.all([client.sync(), client.sync(), client.install('first-plugin')]);
    t.equal(edge.asked.filter((asked) => asked === 'POST /oauth/token').length, 1);
    const kept = await storage.get('tokens');
    t.equal(await client.signOut(), true);
    t.ok(edge.asked.includes('POST /oauth/revoke'));
    t.equal(await client.isSignedIn(), false);
    t.strictSame(await client.installed(), []);
    t.notOk((await storage.names()).some((name) => name.startsWith('package/')));
    if (kept) await storage.set('tokens', kept);
    ahead += 20 * 60_000;
    t.equal(await failureOf(client.sync()), 'SIGNED_OUT invalid_grant', 'the site has ended it as well');
    t.equal(await client.isSignedIn(), false);
  });
});
