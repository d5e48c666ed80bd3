import type { Finding } from '../entities/finding.ts';
import type { Language, Texts } from '../languages.ts';

export type JsonValue = null | boolean | number | string | JsonValue[] | JsonObject;
export type JsonObject = { [key: string]: JsonValue };

/** What a package says of its plugin; whatever it leaves out, or says wrongly, is not there. */
export type PackageListing = {
  default_lang?: Language;
  name?: Texts;
  intro?: Texts;
  description?: Texts;
  tags?: string[];
  contact?: string;
  support?: string;
  copyright?: { kind: 'author' | 'custom'; holder: string };
  version_note?: Texts;
};

/** A plugin package as it was read (design section 7). */
export type ReadPackage = {
  /** As the listing or the manifest names it; empty when neither does. */
  name: string;
  version: string | null;
  /** `manifest.id`: never trusted, not unique. */
  external_id: string | null;
  manifest: JsonObject;
  /** Domains it may reach: empty = none, "*" = any, which is also what declares nothing. */
  allowed_domains: string[];
  permissions: string[];
  /** Paths as they resolve ("./" stripped), and sizes in UTF-8. */
  files: { name: string; bytes: number }[];
  listing: PackageListing;
  icon: Uint8Array | null;
};

/** What a check found, errors first, and the package when enough of it could be read to show it. */
export type PackageReading = { findings: Finding[]; package: ReadPackage | null };
