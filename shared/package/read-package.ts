import { markLookalikeIn } from '../mark-lookalikes.ts';
import { checkReferences, type PackageFile, readFiles } from './files/package-files.ts';
import { reviewFiles } from './files/review-files.ts';
import { secretsIn } from './files/secrets.ts';
import { hostRangesOf, withSpans } from './hosts.ts';
import { iconBytes } from './icon.ts';
import { checkListing, readListing } from './listing.ts';
import { type Context, isObject, isObjectAt } from './manifest/checks.ts';
import { checkManifest } from './manifest/fields.ts';
import { declaredDomains } from './manifest/network.ts';
import type { JsonObject, JsonValue, ReadPackage } from './package.ts';
import { FORMAT_VERSION, PACKAGE_FORMAT } from './package.ts';
import type { Path, Report } from './report.ts';
import { isVersion } from './version.ts';

const KNOWN_KEYS: ReadonlySet<string> = new Set(['format', 'formatVersion', 'manifest', 'files', 'listing']);
/** Longer names are cut for the package's card. */
const NAME_SHOWN = 200;

/** Checks a parsed package and reads its content. */
export function readPackage(root: JsonObject, context: Context): ReadPackage {
  const { report } = context;
  checkEnvelope(root, context);
  const manifest = partOf(root, 'manifest', context);
  const given = partOf(root, 'files', context);
  const listing = isObject(root.listing) ? root.listing : {};
  if (root.listing !== undefined) checkListing(root.listing, ['listing'], context);
  if (Object.hasOwn(root, 'manifest') && isObject(root.manifest))
    checkManifest(manifest, ['manifest'], context);
  const files = isObject(root.files) ? readFiles(given, context) : [];
  const main = checkReferences(manifest, files, given, context);
  const read = summary(manifest, listing, files, context);
  reviewFiles(files, main, declaredIn(manifest, context.limits.domains), context);
  reviewTexts({ manifest, listing }, report);
  reviewNames(manifest, listing, report);
  declare(manifest, read, context);
  return read;
}

/** Checks a manifest without its files: it can prefill the form, but cannot be published. */
export function readManifestAlone(manifest: JsonObject, context: Context): ReadPackage {
  context.report.whole('FILES_MISSING');
  checkManifest(manifest, [], context);
  return summary(manifest, {}, [], context);
}

function checkEnvelope(root: JsonObject, { report }: Context): void {
  if (root.format !== PACKAGE_FORMAT) report.value(['format'], 'FORMAT_UNKNOWN');
  if (root.formatVersion !== FORMAT_VERSION) report.value(['formatVersion'], 'FORMAT_VERSION');
  for (const key of Object.keys(root)) {
    if (!KNOWN_KEYS.has(key)) report.key([key], 'KEY_UNKNOWN', { key });
  }
}

/** A required part of a package; an empty object if it is missing or of another type. */
function partOf(root: JsonObject, key: 'manifest' | 'files', context: Context): JsonObject {
  const { [key]: part } = root;
  if (part === undefined) {
    context.report.value([key], key === 'files' ? 'FILES_MISSING' : 'FIELD_REQUIRED');
    return {};
  }
  return isObjectAt(part, [key], context) ? part : {};
}

function summary(
  manifest: JsonObject,
  listing: JsonObject,
  files: readonly PackageFile[],
  { limits }: Context,
): ReadPackage {
  const manifestName = typeof manifest.name === 'string' ? manifest.name : '';
  const read = readListing(listing, manifestName);
  const named = (read.default_lang && read.name?.[read.default_lang]) || Object.values(read.name ?? {})[0];
  return {
    name: (named || manifestName).trim().slice(0, NAME_SHOWN).toWellFormed(),
    version: [listing.version, manifest.version].find(isVersionText) ?? null,
    external_id: idOf(manifest.id),
    manifest,
    allowed_domains: reachableDomains(manifest, limits.domains),
    permissions: Array.isArray(manifest.permissions) ? distinctTexts(manifest.permissions) : [],
    hosts: withSpans(hostRangesOf(manifest)),
    files: files.map(({ name, bytes }) => ({ name, bytes })),
    listing: read,
    icon: iconBytes(listing.icon, limits.iconBytes),
  };
}

/** The declared domains, including "none". */
function declaredIn({ networkAccess }: JsonObject, most: number): string[] {
  return isObject(networkAccess) ? distinctTexts(declaredDomains(networkAccess).slice(0, most)) : [];
}

/** The domains that a package may access; without a declaration that is every domain. */
function reachableDomains(manifest: JsonObject, most: number): string[] {
  if (manifest.networkAccess === undefined) return ['*'];
  return declaredIn(manifest, most).filter((domain) => domain !== 'none');
}

function isVersionText(value: JsonValue | undefined): value is string {
  return typeof value === 'string' && isVersion(value);
}

function idOf(id: JsonValue | undefined): string | null {
  if (typeof id === 'number') return String(id);
  return typeof id === 'string' && id !== '' ? id : null;
}

function distinctTexts(values: readonly JsonValue[]): string[] {
  return [...new Set(values.filter((value) => typeof value === 'string' && value !== ''))].map(String);
}

/** Adds notices for the reviewer about requested domains and permissions. */
function declare(manifest: JsonObject, read: ReadPackage, { report }: Context): void {
  const { allowed_domains: domains, permissions } = read;
  if (manifest.networkAccess === undefined) report.value(['manifest'], 'NETWORK_UNDECLARED');
  else if (domains.length > 0) {
    const path = ['manifest', 'networkAccess', 'allowedDomains'];
    report.value(path, 'DOMAINS_DECLARED', { domains: domains.join(', ') });
  }
  if (permissions.length > 0) {
    const path = ['manifest', 'permissions'];
    report.value(path, 'PERMISSIONS_DECLARED', { permissions: permissions.join(', ') });
  }
}

/** Reports check marks in the names of the plugin: those of the listing, else that of the manifest. */
function reviewNames(manifest: JsonObject, { name }: JsonObject, report: Report): void {
  const names: [Path, JsonValue | undefined][] = isObject(name)
    ? Object.entries(name).map(([language, text]) => [['listing', 'name', language], text])
    : [name === undefined ? [['manifest', 'name'], manifest.name] : [['listing', 'name'], name]];
  for (const [path, text] of names) {
    const found = typeof text === 'string' ? markLookalikeIn(text) : undefined;
    if (found !== undefined) report.value(path, 'NAME_MARK', { found });
  }
}

/** Reports secrets in the texts of manifest and listing. */
function reviewTexts(value: JsonValue, report: Report, path: Path = []): void {
  if (typeof value === 'string') {
    for (const { kind, isReal } of secretsIn(value)) {
      report.value(path, isReal ? 'SECRET_FOUND' : 'SECRET_LIKE', { kind });
    }
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) reviewTexts(item, report, [...path, index]);
  } else if (value !== null && typeof value === 'object') {
    for (const [key, member] of Object.entries(value)) reviewTexts(member, report, [...path, key]);
  }
}
