import type { Operation } from './contract.ts';
import type { DeployType } from './deploy-types.ts';
import type { SessionView } from './entities/user.ts';
import type { ErrorCode } from './errors.ts';
import type { Language } from './languages.ts';

/** Cookie of the chosen colour scheme: `light` or `dark`; absent for the setting of the system. */
export const THEME_COOKIE = 'theme';
export type Theme = 'light' | 'dark' | 'system';

/** A browser, the design tool's desktop client, which has its own small header, or a frame in a page of a design tool. */
type Client = 'browser' | 'desktop' | 'tool';

/** A query of a page's first view: an operation of the contract with its parameters. */
export type PageQuery = { operation: Operation; payload: Readonly<Record<string, unknown>> };

/** The result of such a query. If an external service failed, `code` is a number and `message` its text for users. */
export type PageQueryResult =
  | { ok: true; data: unknown }
  | { ok: false; status: number; code: ErrorCode | number; message?: string };

/** Queries the services behind the gateway while a page is rendered; undefined if the page should query them itself. */
export type FetchPageQuery = (query: PageQuery) => Promise<PageQueryResult | undefined>;

/** Data from the gateway for every page; contains no token (R 10.20). */
export type Boot = {
  /** Milliseconds since 1970 when the page was rendered, so that server and client render the same "2 hours ago". */
  now: number;
  language: Language;
  languages: readonly Language[];
  theme: Theme;
  deploy_type: DeployType;
  public_url: string;
  /** Origin of the wider site for the links of the header; absent if there is none. */
  site_url?: string;
  /** Address of the design tool, if configured. */
  app_url?: string;
  /** Name, and paths of logo and style sheet of the deployment, as far as configured. */
  brand?: { name?: string; logo?: string; style?: string };
  /**
   * The design tools that run the plugins, by the ids of packages; absent if none is configured. `open_url` opens a plugin in
   * one, with the plugin's key for `{plugin_key}`.
   */
  editors?: readonly { id: string; name: string; open_url?: string }[];
  /** Origins of design tools that may show this site inside of them; absent where none may. */
  tool_origins?: readonly string[];
  /** Origin on which plugins run that visitors try; absent where they cannot. */
  playground_origin?: string;
  /** Whether help articles are in our own community service, so that this site has pages for them. */
  own_help: boolean;
  /** Address of external documentation for developers; absent for the page of this site. */
  developer_docs_url?: string;
  client: Client;
  /** Inside a workplace chat, where parts of the header are hidden (R 11.15). */
  embedded: boolean;
  /** Whether the login page may be shown in a frame of this site. */
  login_frame: boolean;
  /** Whether sign-ins open a new window (`UX_MODE=popup` on a public site). */
  sign_in_window?: true;
  /** Whether visitors may sign up. */
  sign_up: boolean;
  /** Origin of the login page. */
  login_origin: string;
  /** Whether accounts are in our own identity service, so that this site has a page for the user's account. */
  own_accounts: boolean;
  /** When events are collected (R 11.19), and for which product; null: never. */
  analytics: { when: 'always' | 'with-consent'; product: string } | null;
  /** null: unknown, because a page opened from another site carries no Strict cookie; the page asks once. */
  session: SessionView | null;
};

/** What the server build of the web client exports to the gateway (`web/dist/server/entry-server.js`). */
export type ServerEntry = {
  /**
   * Normalised path and query of a page, as far as the document depends on them: the cache key of documents that visitors
   * share, and the only input of their rendering.
   */
  target(url: string): string;
  /** The whole HTML document of the page, with what its loaders fetched by `fetchQuery`. */
  render(url: string, boot: Boot, fetchQuery: FetchPageQuery): Promise<{ status: number; html: string }>;
  /** CSP sources ('sha256-…') of every inline style and script a rendered document may contain. */
  inlineHashes: { style: string[]; script: string[] };
};
