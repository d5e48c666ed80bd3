import { completeLanguages, type Texts } from '../../../../shared/languages.ts';
import { readHostRanges } from '../../../../shared/package/hosts.ts';
import { rightsOf } from '../../../../shared/package/permission-changes.ts';

/** What of a plugin and its published version lists are filtered by. */
export type Filterable = {
  names: Texts;
  intros: Texts;
  descriptions: Texts;
  /** Null without a package: nobody knows then what it reaches, nor was it checked. */
  version: {
    manifest: unknown;
    allowed_domains: string[];
    host_range: string | null;
    has_warnings: boolean;
  } | null;
  updated_at: Date;
  /** Whether the publisher has the mark of verified ones. */
  is_verified: boolean;
};

/** Of a plugin that names no design tools: it works in all of them. */
export const EVERY_EDITOR = '*';

/** Begins the month of the last update, which stands for its days in long spans. */
export const UPDATE_MONTH = 'month:';

/** The properties of a plugin, such as `lang:es-ES`, by which filters find it (filters.ts). */
export function propertiesOf({ version, updated_at, is_verified, ...texts }: Filterable): string[] {
  const { names, intros, descriptions } = texts;
  const day = dayOf(updated_at.getTime());
  return [
    ...completeLanguages([names, intros, descriptions]).map((lang) => `lang:${lang}`),
    `updated:${day}`,
    `${UPDATE_MONTH}${monthOf(day)}`,
    ...(is_verified ? ['verified:publisher'] : []),
    ...(version ? packageProperties(version) : []),
  ];
}

function packageProperties({
  manifest,
  allowed_domains,
  host_range,
  has_warnings,
}: NonNullable<Filterable['version']>): string[] {
  const { domains, permissions } = rightsOf(manifest, allowed_domains);
  const isOffline = domains.length === 0;
  const editors = readHostRanges(host_range).map(({ host }) => host);
  return [
    ...(isOffline && permissions.length === 0 ? ['reach:nothing'] : []),
    ...(isOffline ? ['reach:offline'] : []),
    ...(domains.includes('*') ? [] : ['reach:named']),
    ...(has_warnings ? [] : ['warnings:none']),
    ...(editors.length === 0 ? [EVERY_EDITOR] : editors).map((editor) => `editor:${editor}`),
  ];
}

/** The day of a moment in UTC, such as `2026-03-31`. @param moment milliseconds since 1970 */
export function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}

/** The month of a day, such as `2026-03`. */
export function monthOf(day: string): string {
  return day.slice(0, 7);
}
