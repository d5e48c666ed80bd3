import { isLocal, readDomain } from '../domains.ts';
import type { JsonObject, JsonValue } from '../package.ts';
import type { Path } from '../report.ts';
import { type Check, type Context, isListAt, isObject, isTextAt, shape, text } from './checks.ts';

const fields = shape(
  { allowedDomains: allowedDomains, reasoning: text(), devAllowedDomains: devAllowedDomains },
  ['allowedDomains'],
);

/** The domains that a plugin may access (R 6.8). */
export const networkAccess: Check = (value, path, context) => {
  fields(value, path, context);
  if (!isObject(value)) return;
  const at = declaredDomains(value).indexOf('*');
  const { reasoning } = value;
  if (at >= 0 && (typeof reasoning !== 'string' || reasoning.trim() === '')) {
    context.report.value([...path, 'allowedDomains', at], 'DOMAIN_ANY_REASON');
  }
};

/** Entries of `allowedDomains` by index; an entry that is not a string becomes an empty one. */
export function declaredDomains(network: JsonObject): string[] {
  const { allowedDomains: declared } = network;
  return Array.isArray(declared) ? declared.map((entry) => (typeof entry === 'string' ? entry : '')) : [];
}

function allowedDomains(value: JsonValue, path: Path, context: Context): void {
  const { report } = context;
  const domains = domainTexts(value, path, context);
  if (Array.isArray(value) && value.length === 0) report.value(path, 'FIELD_EMPTY');
  for (const [index, domain] of domains) {
    const at = [...path, index];
    if (domain === '*') continue;
    if (domain === 'none') {
      if (domains.length > 1) report.value(at, 'DOMAIN_NONE_ALONE');
      continue;
    }
    const pattern = checkPattern(domain, at, context);
    if (pattern && isLocal(pattern)) report.value(at, 'DOMAIN_LOCALHOST', { domain });
  }
}

function devAllowedDomains(value: JsonValue, path: Path, context: Context): void {
  for (const [index, domain] of domainTexts(value, path, context)) {
    // Users never get these domains, so "any" needs no reason.
    if (domain !== '*') checkPattern(domain, [...path, index], context);
  }
}

function checkPattern(domain: string, path: Path, { report }: Context) {
  const pattern = readDomain(domain);
  if (typeof pattern !== 'string') return pattern;
  report.value(path, pattern === 'scheme' ? 'DOMAIN_SCHEME' : 'DOMAIN_INVALID', { domain });
  return undefined;
}

function domainTexts(value: JsonValue, path: Path, context: Context): [index: number, domain: string][] {
  const { report, limits } = context;
  if (!isListAt(value, path, context)) return [];
  if (value.length > limits.domains) {
    report.value([...path, limits.domains], 'TOO_MANY_DOMAINS', { limit: String(limits.domains) });
  }
  const seen = new Set<string>();
  return value.slice(0, limits.domains).flatMap((entry, index): [number, string][] => {
    if (!isTextAt(entry, [...path, index], context)) return [];
    if (seen.has(entry)) report.value([...path, index], 'DOMAIN_DUPLICATE', { domain: entry });
    seen.add(entry);
    return [[index, entry]];
  });
}
