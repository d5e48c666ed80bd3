import t from 'tap';
import type { PluginVersion } from '../../../shared/entities/plugin.ts';
import { apiError } from '../../../web/api/api-error.ts';
import { versionError, versionsAfter } from '../../../web/features/versions-admin/version-changes.ts';

const versionOf = (version: string, changes: Partial<PluginVersion> = {}): PluginVersion => ({
  version,
  kind: 'new',
  note: '',
  lang: 'en-US',
  is_current: false,
  is_hidden: false,
  audit_status: 2,
  created_at: new Date(0).toISOString(),
  ...changes,
});

const history = [versionOf('1.2.0', { is_current: true }), versionOf('1.1.0', { is_hidden: true })];

t.test('exactly one version is current, and it is not hidden', async (t) => {
  const after = versionsAfter(history, { version: '1.1.0', is_current: true });
  t.hasStrict(after, [
    { version: '1.2.0', is_current: false },
    { version: '1.1.0', is_current: true, is_hidden: false },
  ]);
});

t.test('hiding and restoring change nothing else', async (t) => {
  t.hasStrict(versionsAfter(history, { version: '1.1.0', is_hidden: false }), [
    { version: '1.2.0', is_current: true, is_hidden: false },
    { version: '1.1.0', is_current: false, is_hidden: false },
  ]);
  t.hasStrict(versionsAfter(history, { version: '1.2.0', is_hidden: true }), [{ is_hidden: true }, {}]);
});

t.test('the error text follows the error code', async (t) => {
  t.equal(versionError(apiError({ status: 409, reason: 'VERSION_NEEDED' })), 'only_one');
  t.equal(versionError(apiError({ status: 404, reason: 'PLUGIN_NOT_FOUND' })), 'gone');
  t.equal(versionError(apiError({ status: 403, reason: 'FORBIDDEN' })), 'forbidden');
  t.equal(versionError(apiError({ status: 0 })), 'failed');
});
