import type { Finding } from '../entities/finding.ts';
import { decodeJson, looksLikeJson } from './json/decode.ts';
import { linesOf } from './json/place.ts';
import { readJson } from './json/read-json.ts';
import { isObject } from './manifest/checks.ts';
import {
  DEFAULT_PACKAGE_LIMITS,
  inMegabytes,
  type JsonObject,
  type JsonValue,
  PACKAGE_FORMAT,
  type PackageLimits,
  type PackageReading,
  type ReadPackage,
} from './package.ts';
import { readManifestAlone, readPackage } from './read-package.ts';
import { type Origin, openReport, type Report } from './report.ts';

type Read = { report: Report; package: ReadPackage | null };

/**
 * Checks a plugin package (design section 7, rules 1 to 9) and reads what it says of itself. Pure and synchronous; it
 * never throws, whatever the bytes, and nothing of the package is run. `origin` tells where in a larger file the
 * bytes begin, so that lines and pointers are those of that file.
 */
export function checkPackage(
  bytes: Uint8Array,
  options: { limits?: PackageLimits; origin?: Origin } = {},
): PackageReading {
  const { limits = DEFAULT_PACKAGE_LIMITS, origin } = options;
  const { report, package: read } = checkBytes(bytes, limits, origin);
  const findings: Finding[] = report.findings();
  return { findings, package: read };
}

function checkBytes(bytes: Uint8Array, limits: PackageLimits, origin: Origin | undefined): Read {
  const given = { limit: limits.findings, origin };
  if (bytes.length > limits.fileBytes) {
    const report = openReport({ ...given, lineOf: linesOf('') });
    report.whole('PACKAGE_TOO_LARGE', { size: inMegabytes(limits.fileBytes) });
    return { report, package: null };
  }
  const decoded = decodeJson(bytes);
  if ('text' in decoded) return checkText(decoded.text, bytes, limits, origin);
  const before = new TextDecoder().decode(bytes.subarray(0, decoded.at));
  const report = openReport({ ...given, lineOf: linesOf(before) });
  if (decoded.code === 'ENCODING_INVALID') report.offset(before.length, [], decoded.code);
  else report.whole(decoded.code, decoded.params);
  return { report, package: null };
}

function checkText(text: string, bytes: Uint8Array, limits: PackageLimits, origin: Origin | undefined): Read {
  const { faults, root } = readJson(text, limits);
  const report = openReport({ lineOf: linesOf(text), limit: limits.findings, origin, root: root?.place });
  if (text.trim() === '') {
    report.whole('JSON_EMPTY');
    return { report, package: null };
  }
  if (!root && !looksLikeJson(bytes)) {
    report.whole('NOT_JSON');
    return { report, package: null };
  }
  for (const { at, path, code, params, otherAt } of faults) report.offset(at, path, code, params, otherAt);
  if (!root) return { report, package: null };

  const found = recognise(root.value);
  const context = { report, limits };
  if (found.kind === 'package') return { report, package: readPackage(found.root, context) };
  if (found.kind === 'manifest') return { report, package: readManifestAlone(found.root, context) };
  report.whole(found.kind === 'list' ? 'PACKAGE_ARRAY' : 'NOT_A_PLUGIN');
  return { report, package: null };
}

/** What a JSON value is to a marketplace of plugins. */
type Recognised =
  | { kind: 'package'; root: JsonObject }
  | { kind: 'manifest'; root: JsonObject }
  | { kind: 'list' }
  | { kind: 'other' };

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
function recognise(value: JsonValue): Recognised {
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
