import { sourcesOf } from './domains.ts';
import { createChecks } from './frame/checks.ts';
import { frameProgram } from './frame/frame-program.ts';
import { mainProgram } from './frame/main-program.ts';
import { panelPrelude } from './frame/panel-prelude.ts';
import { createReplica } from './frame/replica.ts';
import { CHANGES_MAX, PROTOCOL } from './messages.ts';

/** Messages of a plugin in a second, to its panel and to the host together. */
const MESSAGES_PER_SECOND = 1000;

export type FrameResponse = { status: 200 | 400; headers: Record<string, string>; body: string };

/**
 * The frame document for a plugin, for a server of another origin than the host's, at any path.
 * @param query of the address that `frameAddress` made, with or without "?"
 * @param ancestors the origins that may frame it: those of the hosts
 * @returns status 400 for a query that is not of `frameAddress`, or of another version
 */
export function frameResponse(query: string, ancestors: readonly string[]): FrameResponse {
  const parameters = new URLSearchParams(query);
  const isOwn = [...parameters.keys()].every((name) => name === 'version' || name === 'domain');
  const sources = sourcesOf(parameters.getAll('domain'));
  const isVersion = parameters.getAll('version').join() === String(PROTOCOL);
  if (!isOwn || !isVersion || !sources) {
    return {
      status: 400,
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
      },
      body: `Expected version=${PROTOCOL} and the domains that a plugin declares.\n`,
    };
  }
  return { status: 200, headers: { ...HEADERS, ...policyOf(sources, ancestors) }, body: BODY };
}

const HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-dns-prefetch-control': 'off',
  // A process of its own, in Chromium without site isolation too: a loop in the panel would stop the host's page.
  'origin-agent-cluster': '?1',
  'cache-control': 'no-cache',
};

/**
 * The policy of the frame document, which its worker and the panel inside of it inherit. Code may be anything, because all of it
 * is the plugin's, but comes from the package alone. `frame-src` keeps the panel from going elsewhere.
 */
function policyOf(sources: readonly string[], ancestors: readonly string[]): Record<string, string> {
  const data = ['data:', 'blob:', ...sources].join(' ');
  const policy = [
    'sandbox allow-scripts',
    "default-src 'none'",
    "script-src 'unsafe-inline' 'unsafe-eval'",
    'worker-src blob:',
    "style-src 'unsafe-inline'",
    `connect-src ${sources.length > 0 ? sources.join(' ') : "'none'"}`,
    `img-src ${data}`,
    `font-src ${data}`,
    `media-src ${data}`,
    "frame-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types default',
    `frame-ancestors ${ancestors.length > 0 ? ancestors.join(' ') : "'none'"}`,
  ];
  return { 'content-security-policy': policy.join('; ') };
}

/** A string literal for a script inside of HTML. */
function literal(text: string): string {
  return JSON.stringify(text).replaceAll('<', '\\u003c');
}

const MAIN = `(${mainProgram})({ createChecks: ${createChecks}, createReplica: ${createReplica} }, ${CHANGES_MAX});`;
const PRELUDE = `<script>(${panelPrelude})();</script>`;
const LIMITS = JSON.stringify({ version: PROTOCOL, messagesPerSecond: MESSAGES_PER_SECOND });
const STYLE = 'html,body,iframe{margin:0;border:0;width:100%;height:100%;display:block;overflow:hidden}';

const BODY = `<!doctype html>
<html><head><meta charset="utf-8"><style>${STYLE}</style></head><body><script>
(${frameProgram})({ main: ${literal(MAIN)}, prelude: ${literal(PRELUDE)} }, ${LIMITS});
</script></body></html>
`;
