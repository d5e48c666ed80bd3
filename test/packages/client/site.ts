import { JWKS_PATH } from '../../../shared/user-service.ts';
import { addPlugin } from '../../community/add-plugin.ts';
import { addSubmission } from '../../community/add-submission.ts';
import { ask } from '../../community/ask.ts';
import { settleChanges } from '../../community/catalogue/changes/settle-changes.ts';
import { reviewer } from '../../community/review/decisions/reviewer.ts';
import { addRelease, packageText } from '../../community/use/packages/add-release.ts';
import { type TestCommunity, testCommunity } from '../../support/community.ts';
import { startBoth } from '../../support/gateway-with-identity.ts';
import { PUBLIC_URL } from '../../support/identity.ts';
import { TOOL } from '../../support/tool.ts';

type Test = Parameters<typeof startBoth>[0];

/** What stands between a tool and the site: it sees each request and may answer in the site's place. */
export type Edge = {
  /** Requests that went through, as method and path. */
  asked: string[];
  answer:
    | ((path: string, request: RequestInit, pass: () => Promise<Response>) => Promise<Response>)
    | undefined;
};

/** The whole site in this process, with an edge through which tools reach it at its public address. */
export async function startSite(t: Test) {
  const backstage = await testCommunity(t, { publishers: 'members', publicUrl: PUBLIC_URL });
  const { gateway, newPerson, signedIn } = await startBoth(t, {
    settings: { OAUTH_CLIENTS: JSON.stringify([TOOL]) },
    oauthClients: [TOOL],
    community: async (identityUrl) => {
      const served = await testCommunity(t, {
        beside: backstage,
        jwksUrl: identityUrl + JWKS_PATH,
        toolIssuer: PUBLIC_URL,
        publicUrl: PUBLIC_URL,
      });
      return served.url;
    },
  });
  const edge: Edge = { asked: [], answer: undefined };
  const toSite: typeof fetch = async (input, init = {}) => {
    const path = String(input).replace(PUBLIC_URL, '');
    const pass = async () => {
      edge.asked.push(`${init.method ?? 'GET'} ${path}`);
      return fetch(gateway.url + path, init);
    };
    return edge.answer ? edge.answer(path, init, pass) : pass();
  };
  const { email, password, userId } = await newPerson();
  const browser = await signedIn(email, password);

  /** The person allows or refuses what a tool asks for. @returns where the browser comes back */
  async function answerTool(address: string, decision: 'allow' | 'refuse' = 'allow'): Promise<string> {
    const page = String((await browser.visit(address.replace(PUBLIC_URL, ''))).headers.location);
    const call = `/user/tool/request/${page.split('=').at(-1)}`;
    const body = JSON.stringify({ decision });
    const answered = await browser.call(call, { method: 'POST', body });
    const { pathname } = new URL(String(answered.json().data.continue_to));
    return String((await browser.visit(pathname, { site: 'same-origin' })).headers.location);
  }
  const storeCall = async (method: 'POST' | 'DELETE' | 'PUT', plugin_key: string, version?: string) =>
    browser.call('/api/cmt/plugin/user', { method, body: JSON.stringify({ plugin_key, version }) });
  /** Lets the answers expire that the gateway keeps for everybody. */
  const forgetAnswers = () => {
    gateway.clock.ahead += 11_000;
  };
  return { edge, forgetAnswers, fetch: toSite, answerTool, storeCall, userId, ...publisherOf(backstage) };
}

/** What publishers and administrators do. */
function publisherOf(community: TestCommunity) {
  const { url, db, bearer } = community;
  const ids = new Map<string, number>();

  /** Publishes a version whose approval is signed. @returns what users download */
  async function publish(key: string, version: string, { domains = [] as string[] } = {}) {
    const pluginId = ids.get(key) ?? (await addPlugin(db, { key }));
    ids.set(key, pluginId);
    const content = packageText(`${key} ${version}`);
    const release = await addRelease(community, { pluginId, version, content, status: 1 });
    await db
      .updateTable('plugin_version')
      .set({ package_manifest: '{}', allowed_domains: domains })
      .where('id', '=', release.id)
      .execute();
    const submission_id = await addSubmission(db, { pluginId });
    const decided = await reviewer(community).decide({ submission_id, plugin_key: key, audit_status: 2 });
    if (decided.status !== 200) throw new Error(JSON.stringify(decided.json));
    await settleChanges(db);
    return release;
  }
  async function withdraw(plugin_key: string, more: Record<string, unknown> = {}): Promise<void> {
    const body = {
      plugin_key,
      is_withdrawn: true,
      reason: 'malware',
      text: { 'en-US': 'Steals files' },
      must_stop: true,
      ...more,
    };
    const headers = await bearer(1, 2);
    const answer = await ask(url, 'manager/plugin/withdrawn', { method: 'PUT', headers, body });
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.json));
    await settleChanges(db);
  }
  return { publish, withdraw };
}
