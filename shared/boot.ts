import type { Operation } from './contract.ts';
import type { DeployType } from './deploy-types.ts';
import type { SessionView } from './entities/user.ts';
import type { ErrorCode } from './errors.ts';
import type { Language } from './languages.ts';

/** Cookie of the chosen colour scheme: `light` or `dark`; absent = as the system has it. */
export const THEME_COOKIE = 'theme';
export type Theme = 'light' | 'dark' | 'system';

/** What shows the page: a browser, or the design tool's desktop client, which has a small header of its own. */
type Client = 'browser' | 'desktop';

/** A read that a page's first view shows: an operation of the contract with its parameters. */
export type PageQuery = { operation: Operation; payload: Readonly<Record<string, unknown>> };

/**
 * What a service answered to it. `code` is a number, and `told` its message to people, where the service that failed is not
 * our own.
 */
export type PageQueryResult =
  | { ok: true; data: unknown }
  | { ok: false; status: number; code: ErrorCode | number; told?: string };

/** Asks the services behind the gateway while a page is rendered; undefined: the page is to ask by itself. */
export type FetchPageQuery = (query: PageQuery) => Promise<PageQueryResult | undefined>;

/** What the gateway tells a page beside the data of its route: no token (design section 4). */
export type Boot = {
  /** Milliseconds since 1970 when the page was made: server and first client render agree on "2 hours ago". */
  now: number;
  language: Language;
  languages: readonly Language[];
  theme: Theme;
  deploy_type: DeployType;
  public_url: string;
  /** Origin of the wider site, to which the links of the header lead; absent: the marketplace stands alone. */
  site_url?: string;
  /** Address of the design tool, where it has one of its own. */
  app_url?: string;
  /** The deployment's own name, logo and style sheet, as far as it has them; the latter two are paths. */
  brand?: { name?: string; logo?: string; style?: string };
  /** Whether articles of help are kept by our own community service, so that people read them on pages of this site. */
  own_help: boolean;
  /** Address of the deployment's own documentation for developers; absent: a page of this site. */
  developer_docs_url?: string;
  client: Client;
  /** Inside a workplace chat, where parts of the header are hidden (specification section 2). */
  embedded: boolean;
  /** Whether the login page may stand in a frame of this site. */
  login_frame: boolean;
  /** Sign-ins are begun in windows of their own (`UX_MODE=popup` on a public site). */
  sign_in_window?: true;
  /** Whether visitors may make accounts for themselves. */
  sign_up: boolean;
  /** Origin of the login page. */
  login_origin: string;
  /** Whether accounts are kept by our own identity service, so that people look after theirs on a page of this site. */
  own_accounts: boolean;
  /** When events are collected (specification section 4, "Analytics"), and for which product; null: never. */
  analytics: { when: 'always' | 'with-consent'; product: string } | null;
  /** null: unknown, because a page opened from another site carries no Strict cookie; the page asks once. */
  session: SessionView | null;
};

/** What the server build of the web client exports to the gateway (`web/dist/server/entry-server.js`). */
export type ServerEntry = {
  /**
   * The path and query of a page as far as the document depends on them, in one spelling: cache key of documents that
   * visitors share, and all that their render is told.
   */
  target(url: string): string;
  /** The whole HTML document of the page, with what its loaders fetched by `fetchQuery`. */
  render(url: string, boot: Boot, fetchQuery: FetchPageQuery): Promise<{ status: number; html: string }>;
  /** CSP sources ('sha256-…') of every inline style and script a rendered document may contain. */
  inlineHashes: { style: string[]; script: string[] };
};
