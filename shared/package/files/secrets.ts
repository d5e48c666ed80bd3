/** A kind of secret: how it looks, and what makes sure that it is one; without that it only looks like one. */
type SecretKind = {
  kind: string;
  /** Every match holds one of these words, so most texts need no search. */
  words: readonly string[];
  /**
   * No two tries may walk over the same characters: what a match begins with is found nowhere in what it walks over, or
   * else the pattern begins in the middle, and the group `before` is what it finds backwards from there.
   */
  pattern: RegExp;
  isReal?: (match: string) => boolean;
  /** What the text must hold as well to make it a real one. */
  beside?: RegExp;
};

const always = () => true;

/** Keys of services by their published formats; the prefix, the length, and where there is one the checksum count. */
const KINDS: readonly SecretKind[] = [
  {
    kind: 'AWS access key',
    words: ['AKIA', 'ASIA'],
    pattern: /\b(?:AKIA|ASIA)[A-Z2-7]{16}\b/g,
    isReal: always,
    beside: /["'`=:\s][A-Za-z0-9/+]{40}(?:["'`\s]|$)/,
  },
  {
    kind: 'GitHub token',
    words: ['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'],
    pattern: /\bgh[pousr]_[A-Za-z0-9]{36}\b/g,
    isReal: hasChecksum,
  },
  {
    kind: 'GitHub token',
    words: ['github_pat_'],
    pattern: /\bgithub_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}\b/g,
    isReal: always,
  },
  { kind: 'npm token', words: ['npm_'], pattern: /\bnpm_[A-Za-z0-9]{36}\b/g, isReal: hasChecksum },
  {
    kind: 'Slack token',
    words: ['xox'],
    pattern: /\bxox[abeprs]-(?:\d{8,15}-){1,3}[A-Za-z0-9]{20,64}\b/g,
    isReal: always,
  },
  {
    kind: 'Slack webhook',
    words: ['hooks.slack.com'],
    pattern: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,12}\/B[A-Z0-9]{6,12}\/[A-Za-z0-9]{24}\b/g,
    isReal: always,
  },
  {
    kind: 'Stripe live key',
    words: ['sk_live_', 'rk_live_'],
    pattern: /\b[sr]k_live_[A-Za-z0-9]{24,247}\b/g,
    isReal: always,
  },
  {
    kind: 'private key',
    words: ['PRIVATE KEY-----'],
    pattern:
      /-----BEGIN (?:(?:RSA|EC|DSA|OPENSSH|ENCRYPTED) )?PRIVATE KEY-----(?:\s|\\{1,4}[nr]){1,4}[A-Za-z0-9+/=\s\\]{100,8000}-----END/g,
    isReal: always,
  },
  {
    kind: 'OpenAI key',
    words: ['T3BlbkFJ'],
    pattern:
      /T3BlbkFJ(?=[A-Za-z0-9_-]{20})(?<=\b(?<before>sk-(?:[a-z]{3,10}-)?[A-Za-z0-9_-]{20,100})T3BlbkFJ)[A-Za-z0-9_-]{20,100}/g,
    isReal: always,
  },
  { kind: 'Figma token', words: ['figd_'], pattern: /\bfigd_[A-Za-z0-9_-]{40,80}/g, isReal: always },
  { kind: 'GitLab token', words: ['glpat-'], pattern: /\bglpat-[A-Za-z0-9_-]{20}\b/g, isReal: always },
  {
    kind: 'SendGrid key',
    words: ['SG.'],
    pattern: /\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}\b/g,
    isReal: always,
  },
  { kind: 'Google API key', words: ['AIza'], pattern: /\bAIza[A-Za-z0-9_-]{35}/g },
  { kind: 'Alibaba Cloud access key', words: ['LTAI'], pattern: /\bLTAI[A-Za-z0-9]{16,20}\b/g },
  { kind: 'Tencent Cloud access key', words: ['AKID'], pattern: /\bAKID[A-Za-z0-9]{32}\b/g },
  {
    kind: 'web token',
    words: ['eyJ'],
    pattern:
      /\.eyJ[A-Za-z0-9_-]{10,4000}\.(?=[A-Za-z0-9_-]{20})(?<=\b(?<before>eyJ[A-Za-z0-9_-]{10,400})\.eyJ[A-Za-z0-9_-]{10,4000}\.)[A-Za-z0-9_-]{20,2000}/g,
  },
  {
    kind: 'key or password',
    words: [
      'key',
      'Key',
      'KEY',
      'secret',
      'Secret',
      'SECRET',
      'token',
      'Token',
      'TOKEN',
      'assword',
      'ASSWORD',
    ],
    pattern:
      /(?:api_?key|access_?key|secret(?:_?key)?|auth_?token|access_?token|password)["']?\s{0,4}[:=]\s{0,4}["'](?=[^"']{0,100}\d)(?=[^"']{0,100}[A-Za-z])[A-Za-z0-9_+/=.-]{20,100}["']/gi,
  },
];

/** Different characters that a made-up key seldom has: "xxxx…", "1234…". */
const VARIETY_MIN = 12;
const MATCHES_MAX = 20;

/** Secrets in a text, with their offsets; what they are is told, never the secret itself. */
export function secretsIn(text: string): { kind: string; at: number; isReal: boolean }[] {
  return KINDS.filter(({ words }) => words.some((word) => text.includes(word))).flatMap(
    ({ kind, pattern, isReal, beside }) => {
      const found = matchesOf(pattern, text).filter(({ match }) => new Set(match).size >= VARIETY_MIN);
      const isBeside = found.length > 0 && (beside?.test(text) ?? true);
      return found.map(({ match, at }) => ({
        kind,
        at,
        isReal: !isPlaceholder(match) && isBeside && (isReal?.(match) ?? false),
      }));
    },
  );
}

function matchesOf(pattern: RegExp, text: string): { match: string; at: number }[] {
  const found: { match: string; at: number }[] = [];
  for (const { 0: match, index, groups } of text.matchAll(pattern)) {
    const before = groups?.before ?? '';
    found.push({ match: before + match, at: index - before.length });
    if (found.length === MATCHES_MAX) break;
  }
  return found;
}

/** Documentation writes keys that say of themselves that they are none. */
function isPlaceholder(match: string): boolean {
  return match.length < 300 && /example|placeholder|your|dummy|sample|xxxx|test/i.test(match);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const POLYNOMIAL = 0xedb88320;

/**
 * True when the last six characters of a GitHub or npm token are the checksum of those between its prefix and them:
 * CRC-32 in base 62. What only looks like a token does not pass.
 */
function hasChecksum(token: string): boolean {
  const body = token.slice(token.indexOf('_') + 1);
  const checked = body.slice(0, -CHECKSUM_LENGTH);
  return base62(crc32(checked)) === body.slice(-CHECKSUM_LENGTH);
}

/** CRC-32 of ISO 3309 over ASCII text. */
function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let index = 0; index < text.length; index += 1) {
    sum ^= text.charCodeAt(index);
    for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? (sum >>> 1) ^ POLYNOMIAL : sum >>> 1;
  }
  return ~sum >>> 0;
}

function base62(value: number): string {
  let rest = value;
  let text = '';
  while (text.length < CHECKSUM_LENGTH) {
    text = (DIGITS[rest % 62] ?? '') + text;
    rest = Math.floor(rest / 62);
  }
  return text;
}
