import type { PublishToken } from '../../../shared/entities/review.ts';

type TokenState = 'active' | 'expired' | 'revoked';

/** State of a token at `now` (milliseconds since 1970). */
export function tokenState({ expires_at, revoked_at }: PublishToken, now: number): TokenState {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) <= now ? 'expired' : 'active';
}

type Example = {
  /** URL to submit versions to, as the command line reaches it. */
  address: URL;
  /** The plugin that the token is limited to, if any. */
  pluginKey: string | null;
};

const ANY_PLUGIN = 'YOUR_PLUGIN_KEY';

/** A shell command that submits a version for checking only; it reads the token from the environment. */
export function curlExample({ address, pluginKey }: Example): string {
  const checking = new URL(address);
  checking.searchParams.set('dry_run', '1');
  return [
    'curl --fail-with-body --silent --show-error',
    '-H "Authorization: Bearer $PUBLISH_TOKEN"',
    `-F plugin_key=${pluginKey ?? ANY_PLUGIN}`,
    '-F version=1.2.0',
    "-F version_note='What is new'",
    '-F code=@plugin.json',
    `'${checking.href}'`,
  ].join(' \\\n  ');
}
