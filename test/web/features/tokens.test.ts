import { execFileSync } from 'node:child_process';
import t from 'tap';
import type { PublishToken } from '../../../shared/entities/review.ts';
import { curlExample, tokenState } from '../../../web/features/tokens/token-state.ts';

const NOW = Date.UTC(2026, 4, 20);
const DAY = 86_400_000;

const token: PublishToken = {
  id: 1,
  name: 'CI',
  hint: 'psq_ab',
  plugin_key: null,
  created_at: new Date(NOW - DAY).toISOString(),
  expires_at: new Date(NOW + DAY).toISOString(),
  last_used_at: null,
  revoked_at: null,
};

t.test('a token works until it expires or is revoked', async (t) => {
  t.equal(tokenState(token, NOW), 'active');
  t.equal(tokenState(token, NOW + DAY), 'expired');
  const revoked = { ...token, revoked_at: new Date(NOW).toISOString() };
  t.equal(tokenState(revoked, NOW), 'revoked');
  t.equal(tokenState(revoked, NOW + 2 * DAY), 'revoked', 'revoked takes precedence');
});

t.test('the example is one valid shell command', async (t) => {
  const address = new URL('https://square.example/api/cmt/plugin');
  const command = curlExample({ address, pluginKey: 'abcdefgh12345678' });
  const words = execFileSync('sh', ['-c', `set -- ${command}; printf '%s\\n' "$@"`], {
    env: { PUBLISH_TOKEN: 'psq_secret' },
    encoding: 'utf8',
  }).trimEnd();
  t.strictSame(words.split('\n'), [
    'curl',
    '--fail-with-body',
    '--silent',
    '--show-error',
    '-H',
    'Authorization: Bearer psq_secret',
    '-F',
    'plugin_key=abcdefgh12345678',
    '-F',
    'version=1.2.0',
    '-F',
    'version_note=What is new',
    '-F',
    'code=@plugin.json',
    'https://square.example/api/cmt/plugin?dry_run=1',
  ]);
});

t.test('the example of an unlimited token has a placeholder for the key', async (t) => {
  const address = new URL('https://square.example/api/cmt/plugin');
  t.match(curlExample({ address, pluginKey: null }), 'plugin_key=YOUR_PLUGIN_KEY');
});
