import type { PublishToken } from '../../../shared/entities/review.ts';

type TokenState = 'active' | 'expired' | 'revoked';

/** Whether a token still works at `now` (milliseconds since 1970). */
export function tokenState({ expires_at, revoked_at }: PublishToken, now: number): TokenState {
  if (revoked_at !== null) return 'revoked';
  return Date.parse(expires_at) <= now ? 'expired' : 'active';
}

type Example = {
  /** Where versions are submitted, as the command line reaches it. */
  address: URL;
  /** The plugin the token is good for, if only for one. */
  pluginKey: string | null;
};

const ANY_PLUGIN = 'YOUR_PLUGIN_KEY';

/** A command that submits a version of a plugin for checking alone; the token is read from the environment. */
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
