import { domainToASCII, domainToUnicode } from 'node:url';
import { parse } from 'tldts';
import { appError } from '../../../http/errors.ts';

/** Letters of these belong together, as in Japanese and Korean. */
const SCRIPTS: readonly RegExp[] = [
  /^[\p{Script=Latin}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\u30fc]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}]+$/u,
];

/** Letters of other alphabets that look like small Latin ones (Unicode Technical Standard 39). */
const LIKE_LATIN = /^[аАсԁеһіјӏорԛѕԝхуѵαικνορυωօոսհց]+$/u;

/** What a publisher names: the name that DNS has, and how it is shown to people. */
export type Domain = { domain: string; shownAs: string };

/**
 * Reads a domain as people type or paste it.
 * @param options.anySuffix whether suffixes that nobody has listed are accepted, as in private networks
 * @throws DOMAIN_REFUSED for an address, a name without a dot, and a suffix below which everybody gets domains
 */
export function domainOf(typed: string, { anySuffix }: { anySuffix: boolean }): Domain {
  const host = typed
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/.]$/, '');
  const domain = /[/?#@:\s]/.test(host) ? '' : domainToASCII(host);
  const { domain: registered, isIp, isIcann, isPrivate } = parse(domain, { allowPrivateDomains: true });
  const isListed = isIcann === true || isPrivate === true;
  if (registered === null || isIp === true || !(isListed || anySuffix)) throw appError('DOMAIN_REFUSED');
  return { domain, shownAs: shownDomain(domain) };
}

/** A domain in the letters of its language, unless one of its labels mixes scripts or passes for a Latin one. */
export function shownDomain(domain: string): string {
  const shown = domainToUnicode(domain);
  return shown.split('.').every(isClear) ? shown : domain;
}

function isClear(label: string): boolean {
  const letters = label.replace(/[0-9-]/g, '');
  if (letters === '' || /^[a-z]+$/.test(letters)) return true;
  const isOneScript =
    SCRIPTS.some((script) => script.test(letters)) || /^\p{Script=Cyrillic}+$/u.test(letters);
  return isOneScript && !LIKE_LATIN.test(letters);
}
