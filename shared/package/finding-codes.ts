import type { Finding } from '../entities/finding.ts';
import { FILE_CODES } from './files/codes.ts';
import { JSON_CODES } from './json/codes.ts';
import { LISTING_CODES } from './listing/codes.ts';
import { MANIFEST_CODES } from './manifest/codes.ts';

/**
 * Every remark that a check makes: stable code → how much it weighs and its English text, whose {placeholders} are
 * filled from the finding's params. Screens have their own text under the same code.
 */
export const FINDING_CODES = { ...JSON_CODES, ...MANIFEST_CODES, ...FILE_CODES, ...LISTING_CODES } as const;

export type FindingCode = keyof typeof FINDING_CODES;

/** Where a finding stands; a place that is not known is left out. */
export type FindingPlace = Pick<Finding, 'pointer' | 'line' | 'column' | 'file'>;

/** Longest value of a placeholder, in code points: findings are shown, stored and sent. */
const PARAM_MAX = 200;

/** A finding of a code at a place, its English message filled from `params`. */
export function finding(
  code: FindingCode,
  place: FindingPlace,
  params: Readonly<Record<string, string>> = {},
): Finding {
  const { severity, message } = FINDING_CODES[code];
  const shown = Object.fromEntries(Object.entries(params).map(([name, value]) => [name, shortened(value)]));
  return {
    code,
    severity,
    ...place,
    message: message.replace(/\{(\w+)\}/g, (placeholder, name) => shown[name] ?? placeholder),
    ...(Object.keys(shown).length > 0 ? { params: shown } : {}),
  };
}

export function isFindingCode(value: string): value is FindingCode {
  return Object.hasOwn(FINDING_CODES, value);
}

/** True when nothing found refuses what was checked. */
export function isUsable(findings: readonly Finding[]): boolean {
  return findings.every(({ severity }) => severity !== 'error');
}

/** Cut to what is shown, with what cannot be shown or stored made visible. */
function shortened(value: string): string {
  const head = value
    .slice(0, PARAM_MAX * 2)
    .toWellFormed()
    .replace(/\p{Cc}/gu, '\u{fffd}');
  const characters = [...head];
  return characters.length > PARAM_MAX ? `${characters.slice(0, PARAM_MAX).join('')}…` : head;
}
