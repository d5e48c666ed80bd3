import { decodeJson, looksLikeJson } from './json/decode.ts';
import { linesOf } from './json/place.ts';
import { readJson } from './json/read-json.ts';
import { isObject } from './manifest/checks.ts';
import {
  DEFAULT_PACKAGE_LIMITS,
  inMegabytes,
  type JsonObject,
  PACKAGE_FORMAT,
  type PackageLimits,
  type PackageReading,
  type ReadPackage,
} from './package.ts';
import { readManifestAlone, readPackage } from './read-package.ts';
import { type Origin, openReport, type Report } from './report.ts';

type Options = {
  limits?: PackageLimits;
  /** Position of the package in a larger file; lines and pointers of findings refer to that file. */
  origin?: Origin | undefined;
  /** Ids of the design tools that a package may name; without them, it may name any. */
  hosts?: readonly string[] | undefined;
  /**
   * Called with the name of a script before it is parsed, for who ends a check that takes too long: the time that parsing
   * takes can grow with the square of a script, and all else grows with the size of the package.
   */
  onScript?: (file: string) => void;
};
type Read = { report: Report; package: ReadPackage | null };

/**
 * Checks a plugin package (R 6.4 to 6.12) and reads its content. Pure and synchronous: it never throws,
 * whatever the bytes, and runs no code of the package.
 */
export function checkPackage(bytes: Uint8Array, options: Options = {}): PackageReading {
  const { limits = DEFAULT_PACKAGE_LIMITS, ...given } = options;
  const { report, package: read } = checkBytes(bytes, { limits, ...given });
  return { findings: report.findings(), package: read };
}

type Given = Options & { limits: PackageLimits };

function checkBytes(bytes: Uint8Array, given: Given): Read {
  const { limits, origin } = given;
  const options = { limit: limits.findings, origin };
  if (bytes.length > limits.fileBytes) {
    const report = openReport({ ...options, lineOf: linesOf('') });
    report.whole('PACKAGE_TOO_LARGE', { size: inMegabytes(limits.fileBytes) });
    return { report, package: null };
  }
  const decoded = decodeJson(bytes);
  if ('text' in decoded) return checkText(decoded.text, bytes, given);
  const before = new TextDecoder().decode(bytes.subarray(0, decoded.at));
  const report = openReport({ ...options, lineOf: linesOf(before) });
  if (decoded.code === 'ENCODING_INVALID') report.offset(before.length, [], decoded.code);
  else report.whole(decoded.code, decoded.params);
  return { report, package: null };
}

function checkText(text: string, bytes: Uint8Array, { limits, origin, hosts, onScript }: Given): Read {
  const { errors, root } = readJson(text, limits);
  const report = openReport({ lineOf: linesOf(text), limit: limits.findings, origin, root: root?.place });
  if (text.trim() === '') {
    report.whole('JSON_EMPTY');
    return { report, package: null };
  }
  if (!root && !looksLikeJson(bytes)) {
    report.whole('NOT_JSON');
    return { report, package: null };
  }
  for (const { at, path, code, params, otherAt } of errors) report.offset(at, path, code, params, otherAt);
  if (!root) return { report, package: null };

  const { value } = root;
  const context = { report, limits, hosts, onScript };
  if (isObject(value) && isPackage(value)) return { report, package: readPackage(value, context) };
  if (isObject(value) && isManifest(value)) return { report, package: readManifestAlone(value, context) };
  report.whole(Array.isArray(value) ? 'PACKAGE_ARRAY' : 'NOT_A_PLUGIN');
  return { report, package: null };
}

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

function isPackage(value: JsonObject): boolean {
  return value.format === PACKAGE_FORMAT || (isObject(value.manifest) && 'files' in value);
}

/** Whether an object is a manifest without its package (R 6.10). */
function isManifest(value: JsonObject): boolean {
  const has = (key: string) => Object.hasOwn(value, key);
  if (APP_KEYS.some(has)) return false;
  if (typeof value.name !== 'string' && typeof value.main !== 'string') return false;
  if (PLUGIN_KEYS.some(has)) return true;
  return has('main') && !NPM_KEYS.some(has);
}
