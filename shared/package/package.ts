import { BATCH_ITEMS_MAX, type DESCRIPTION_FORMATS, TAGS_MAX } from '../constants.ts';
import type { Finding } from '../entities/finding.ts';
import type { DataCollected } from '../entities/plugin.ts';
import type { Language, Texts } from '../languages.ts';
import type { HostSpan } from './hosts.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** Values of `format` and `formatVersion`. */
export const PACKAGE_FORMAT = 'plugin-package';
export const FORMAT_VERSION = 1;

/** The listing in a package; missing and invalid values are left out. */
export type PackageListing = {
  default_lang?: Language;
  name?: Texts;
  intro?: Texts;
  description?: Texts;
  description_format?: (typeof DESCRIPTION_FORMATS)[number];
  license?: string;
  home_page?: string;
  source_url?: string;
  issues_url?: string;
  data_collected?: DataCollected;
  tags?: string[];
  contact?: string;
  support?: Texts;
  copyright?: { kind: 'author' | 'custom'; holder: string };
  version_note?: Texts;
};

/** The content of a plugin package (R 6.1). */
export type ReadPackage = {
  /** From the listing, else from the manifest; else empty. */
  name: string;
  version: string | null;
  /** `manifest.id`: never trusted, not unique. */
  external_id: string | null;
  manifest: JsonObject;
  /** Domains that it may access: empty = none, "*" = any, also if the manifest declares nothing. */
  allowed_domains: string[];
  permissions: string[];
  /** Design tools that it works in; empty for all. */
  hosts: HostSpan[];
  /** Resolved paths (without "./"), and sizes in UTF-8. */
  files: { name: string; bytes: number }[];
  listing: PackageListing;
  icon: Uint8Array | null;
};

/** Findings, errors first, and the package if enough of it could be read to show it. */
export type PackageReading = { findings: Finding[]; package: ReadPackage | null };

const MEGABYTE = 1024 * 1024;

/** Limits to a package (R 6.13). Sizes in bytes. */
export type PackageLimits = {
  fileBytes: number;
  codeBytes: number;
  files: number;
  depth: number;
  /** Values in the whole JSON: objects, arrays, texts, numbers. */
  values: number;
  menuItems: number;
  menuDepth: number;
  domains: number;
  tags: number;
  iconBytes: number;
  batchItems: number;
  /** Findings that are reported; the rest is counted. */
  findings: number;
};

export const DEFAULT_PACKAGE_LIMITS: PackageLimits = {
  fileBytes: 10 * MEGABYTE,
  codeBytes: 5 * MEGABYTE,
  files: 32,
  depth: 32,
  values: 50_000,
  menuItems: 64,
  menuDepth: 4,
  domains: 64,
  tags: TAGS_MAX,
  iconBytes: 256 * 1024,
  batchItems: BATCH_ITEMS_MAX,
  findings: 200,
};

/** Megabytes with up to one decimal, for messages. */
export function inMegabytes(bytes: number): string {
  return String(Math.round((bytes / MEGABYTE) * 10) / 10);
}

/** Keys of a manifest that only its developer needs. */
const DEVELOPER_KEYS: ReadonlySet<string> = new Set(['build', 'enableProposedApi', 'enablePrivatePluginApi']);
const DEVELOPER_NETWORK_KEYS: ReadonlySet<string> = new Set(['devAllowedDomains']);

/**
 * Removes from a package the keys that only its developer needs, before users download it (R 6.8).
 * @throws SyntaxError when the text is not JSON, which a checked package always is
 */
export function releasePackage(text: string): string {
  const root: unknown = JSON.parse(text.replace(/^\u{feff}/u, ''));
  if (!isRecord(root) || !isRecord(root.manifest)) return JSON.stringify(root);
  const manifest = without(root.manifest, DEVELOPER_KEYS);
  const { networkAccess } = manifest;
  if (isRecord(networkAccess)) manifest.networkAccess = without(networkAccess, DEVELOPER_NETWORK_KEYS);
  return JSON.stringify({ ...root, manifest });
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function without(record: Record<string, unknown>, keys: ReadonlySet<string>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => !keys.has(key)));
}
