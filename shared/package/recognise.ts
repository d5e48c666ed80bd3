import { isObject } from './manifest/checks.ts';
import type { JsonObject, JsonValue } from './package.ts';

/** What a JSON value is to a marketplace of plugins. */
export type Recognised =
  | { kind: 'package'; root: JsonObject }
  | { kind: 'manifest'; root: JsonObject }
  | { kind: 'list' }
  | { kind: 'other' };

export const PACKAGE_FORMAT = 'plugin-package';
export const FORMAT_VERSION = 1;

/** Keys that only manifests of plugins have. */
const PLUGIN_KEYS = [
  'api',
  'editorType',
  'networkAccess',
  'documentAccess',
  'relaunchButtons',
  'menu',
  'parameters',
  'capabilities',
  'codegenLanguages',
  'containsWidget',
  'widgetApi',
  'enableProposedApi',
];
/** Keys of web app manifests and browser extensions. */
const APP_KEYS = [
  'start_url',
  'short_name',
  'display',
  'theme_color',
  'background_color',
  'manifest_version',
];
/** Keys of npm's package.json. */
const NPM_KEYS = [
  'scripts',
  'dependencies',
  'devDependencies',
  'peerDependencies',
  'license',
  'repository',
  'engines',
  'exports',
  'version',
];

/** Tells a package from a bare manifest, a list of packages, and any other JSON (design section 7, rule 7). */
export function recognise(value: JsonValue): Recognised {
  if (Array.isArray(value)) return { kind: 'list' };
  if (!isObject(value)) return { kind: 'other' };
  const hasParts = isObject(value.manifest) && 'files' in value;
  if (value.format === PACKAGE_FORMAT || hasParts) return { kind: 'package', root: value };
  return isManifest(value) ? { kind: 'manifest', root: value } : { kind: 'other' };
}

function isManifest(value: JsonObject): boolean {
  const has = (key: string) => Object.hasOwn(value, key);
  if (APP_KEYS.some(has)) return false;
  if (typeof value.name !== 'string' && typeof value.main !== 'string') return false;
  if (PLUGIN_KEYS.some(has)) return true;
  return has('main') && !NPM_KEYS.some(has);
}
