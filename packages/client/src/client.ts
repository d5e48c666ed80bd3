import type { JSONWebKeySet } from 'jose';
import { clientError, isClientError } from './errors.ts';
import { createEvents } from './events.ts';
import { eventsBetween, follow, runnableOf, withdrawnBy } from './installed.ts';
import { createPackages, type InstalledPlugin, type PackageOf, type VerifiedPackage } from './packages.ts';
import { type BeginOptions, beginCode, completeCode } from './sign-in/code.ts';
import { type DeviceOptions, signInByCode } from './sign-in/device.ts';
import { type AuthorizationServer, discover, post } from './sign-in/server.ts';
import { createTokens } from './sign-in/tokens.ts';
import { dataOf, failureOf, type Site, sendBriefly } from './site.ts';
import { type ClientStorage, memoryStorage, readJson, writeJson } from './storage.ts';
import { createVerifier } from './verify.ts';
import type { CatalogueChanges, InstalledState } from './wire.ts';

export type ClientOptions = {
  /** Address of the site, such as `https://plugins.example.com`. */
  site: string;
  /** The tool's id, as the operator has registered it. */
  clientId: string;
  /** Where everything is kept; in memory by default. */
  storage?: ClientStorage;
  /** Where the tokens are kept, if that is another place. */
  tokenStorage?: ClientStorage;
  /** Language of names and reasons, such as `en-US`. */
  language?: string;
  /** The only keys that approvals may have (RFC 7517); by default those that the site publishes. */
  keys?: JSONWebKeySet;
  fetch?: typeof globalThis.fetch;
  /** Milliseconds since 1970. */
  now?: () => number;
  wait?: Site['wait'];
};

type Signal = { signal?: AbortSignal | undefined };

export type Client = ReturnType<typeof createClient>;

const STATE = '/api/cmt/plugin/user/state';
const CHANGES = '/api/cmt/plugin/changes';
const INSTALLATION = '/api/cmt/plugin/user';
/** Seconds between two looks. */
const EVERY = 300;

type Stored = { etag: string | undefined; plugins: InstalledPlugin[] };
const NOTHING: Stored = { etag: undefined, plugins: [] };

/**
 * A design tool's view of a site: who is signed in, what they have installed, and packages that were checked. It works without a
 * network with what it has.
 */
export function createClient(options: ClientOptions) {
  const { clientId, storage = memoryStorage(), tokenStorage = storage, keys } = options;
  const site: Site = {
    url: new URL(options.site).origin,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    language: options.language,
    now: options.now ?? Date.now,
    wait: options.wait ?? wait,
  };
  let known: Promise<AuthorizationServer> | undefined;
  const server = () => {
    known ??= discover(site).catch((error: unknown) => {
      known = undefined;
      throw error;
    });
    return known;
  };
  const tokens = createTokens({ site, clientId, storage: tokenStorage, server });
  const flow = { site, clientId, storage: tokenStorage, server };
  const { on, tell } = createEvents();
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
  const packages = createPackages({
    site,
    storage,
    verify: createVerifier({ site, storage, pinned: keys }),
    authorize: async () => bearer(await tokens.access()),
  });

  /** Calls for the person; a token that is refused is renewed once. */
  async function call(
    path: string,
    {
      headers,
      ...sending
    }: { method?: string; headers?: Record<string, string>; body?: string } & Signal = {},
  ): Promise<Response> {
    const token = await tokens.access();
    const answer = await sendBriefly(site, path, { ...sending, headers: { ...headers, ...bearer(token) } });
    if (answer.status !== 401) return answer;
    const renewed = bearer(await tokens.access(token));
    return sendBriefly(site, path, { ...sending, headers: { ...headers, ...renewed } });
  }

  const read = async (): Promise<Stored> => (await readJson<Stored>(storage, 'state')) ?? NOTHING;
  const write = (state: Stored): Promise<void> => writeJson(storage, 'state', state);

  async function look(signal: AbortSignal | undefined): Promise<InstalledPlugin[]> {
    const before = await read();
    const headers = before.etag === undefined ? {} : { 'if-none-match': before.etag };
    const answer = await call(STATE, { headers, signal });
    const isSame = answer.status === 304;
    const items = isSame ? before.plugins : (await dataOf<InstalledState>(answer)).plugin_list;
    const earlier = new Map(before.plugins.map((plugin) => [plugin.plugin_key, plugin]));
    const followed = [];
    for (const { ...item } of items)
      followed.push(await follow(item, { before: earlier.get(item.plugin_key), packages, signal }));
    const plugins = followed.map(({ plugin }) => plugin);
    await write({ etag: isSame ? before.etag : (answer.headers.get('etag') ?? undefined), plugins });
    await packages.keep(new Set(plugins.flatMap(digestsOf)));
    tell(eventsBetween(before.plugins, followed));
    return plugins;
  }

  /** Marks what the changes withdraw. The next look reads all again. */
  async function stop(changes: CatalogueChanges['change_list']): Promise<void> {
    const { plugins } = await read();
    const events = withdrawnBy(changes, plugins);
    if (events.length === 0) return;
    const stopped = new Map(events.map(({ detail: { plugin } }) => [plugin.plugin_key, plugin]));
    const left = plugins.map((plugin) => stopped.get(plugin.plugin_key) ?? plugin);
    await write({ etag: undefined, plugins: left });
    await packages.keep(new Set(left.flatMap(digestsOf)));
    tell(events);
  }

  async function readChanges({ signal }: Signal): Promise<CatalogueChanges['change_list']> {
    let after = (await readJson<number>(storage, 'changes')) ?? 0;
    let isRestart = after === 0;
    const changes: CatalogueChanges['change_list'] = [];
    for (let hasMore = true; hasMore; ) {
      const answer = await sendBriefly(site, `${CHANGES}?after=${after}`, { signal });
      if (answer.status === 400 && after > 0 && (await failureOf(answer)).reason === 'BAD_CURSOR') {
        // A backup of the site was restored: its positions begin again.
        after = 0;
        isRestart = true;
        changes.length = 0;
        continue;
      }
      const page = await dataOf<CatalogueChanges>(answer);
      changes.push(...page.change_list);
      after = page.next;
      hasMore = page.has_more;
    }
    await stop(changes);
    await writeJson(storage, 'changes', after);
    if (changes.length > 0 || isRestart) tell([{ name: 'changes', detail: { changes, isRestart } }]);
    return changes;
  }

  /** One after the other, so that none overwrites what another has found. */
  let last: Promise<unknown> = Promise.resolve();
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = last.then(work, work);
    last = next.catch(() => undefined);
    return next;
  }

  /** Another person may have signed in, whose plugins are others. */
  async function accept(answer: Response): Promise<void> {
    await tokens.accept(answer);
    await inTurn(() => write(NOTHING));
  }

  async function change(method: string, body: Record<string, string>, { signal }: Signal): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await call(INSTALLATION, { method, headers, body: JSON.stringify(body), signal });
    if (!answer.ok) throw await failureOf(answer);
    await inTurn(() => look(signal));
  }

  return {
    /** Listens until the signal is aborted. */
    on,

    /** Begins a sign-in in a browser (PKCE). @returns the address to open */
    beginSignIn: (begin: BeginOptions) => beginCode(flow, begin),
    /** Completes it with the address that the browser came back to. @throws ClientError SIGN_IN_INVALID, SIGN_IN_REFUSED */
    completeSignIn: async (address: string): Promise<void> => accept(await completeCode(flow, address)),
    /** Signs in by a code that users type on another device (RFC 8628). @throws ClientError SIGN_IN_EXPIRED, SIGN_IN_REFUSED */
    signInByDevice: async (device: DeviceOptions): Promise<void> => accept(await signInByCode(flow, device)),
    isSignedIn: tokens.isSignedIn,
    /**
     * Forgets tokens and plugins of the person, and ends the tool's session at the site (RFC 7009).
     * @returns false if the site could not be told: the session then ends by itself, or on the account page
     */
    async signOut(): Promise<boolean> {
      const token = await tokens.clear();
      await inTurn(async () => {
        await storage.delete('state');
        await packages.keep(new Set());
      });
      if (token === undefined) return true;
      try {
        return (await post(site, (await server()).revocation, { client_id: clientId, token })).ok;
      } catch (error) {
        if (isClientError(error)) return false;
        throw error;
      }
    },

    /** What was installed at the last look; needs no network. */
    installed: async (): Promise<InstalledPlugin[]> => (await read()).plugins,
    /** Looks what is installed now, loads and checks packages, and tells what has happened. @throws ClientError */
    sync: ({ signal }: Signal = {}): Promise<InstalledPlugin[]> => inTurn(() => look(signal)),
    /** Reads what has changed in the catalogue since the last time; tells nobody what is installed. @throws ClientError */
    readChanges: (signal: Signal = {}) => inTurn(() => readChanges(signal)),
    /** Syncs and reads changes every five minutes until the signal is aborted; waits longer if the site asks for it. */
    async watch({ signal, seconds = EVERY }: { signal: AbortSignal; seconds?: number }): Promise<void> {
      while (!signal.aborted) {
        let pause = seconds;
        try {
          await inTurn(() => readChanges({ signal }));
          if (await tokens.isSignedIn()) await inTurn(() => look(signal));
        } catch (error) {
          if (signal.aborted) return;
          if (!isClientError(error)) throw error;
          pause = Math.max(seconds, error.retryAfter ?? 0);
        }
        await site.wait(pause * 1000, signal).catch(() => undefined);
      }
    },

    /** The package to run, checked again; needs no network. @throws ClientError NOT_INSTALLED, WITHDRAWN, DIGEST_WRONG, … */
    async open(pluginKey: string): Promise<VerifiedPackage> {
      const { plugins } = await read();
      const wanted = runnableOf(plugins.find(({ plugin_key }) => plugin_key === pluginKey));
      const found = await packages.open(wanted);
      if (!found) throw clientError('NOT_INSTALLED');
      return found;
    },
    /** Loads and checks any package that `readChanges` names. @throws ClientError */
    load: (wanted: PackageOf, signal: Signal = {}) => packages.load(wanted, { ...signal, isPublic: true }),

    /** @throws ClientError SITE_FAILED with the site's reason */
    install: (plugin_key: string, signal: Signal = {}) => change('POST', { plugin_key }, signal),
    /** @throws ClientError SITE_FAILED with the site's reason */
    uninstall: (plugin_key: string, signal: Signal = {}) => change('DELETE', { plugin_key }, signal),
    /** Accepts the rights of the offered version. @throws ClientError SITE_FAILED with CONFLICT if another one is offered now */
    acceptUpdate: (plugin_key: string, version: string, signal: Signal = {}) =>
      change('PUT', { plugin_key, version }, signal),
  };
}

function digestsOf({ runnable, package: delivered }: InstalledPlugin): string[] {
  return [runnable?.package.digest, delivered?.digest].filter((digest) => digest !== undefined);
}

function wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
  });
}
