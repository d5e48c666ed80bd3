/** A kind of secret and how to verify it; a match that cannot be verified is only reported as similar to a secret. */
type SecretKind = {
  kind: string;
  /** Every match contains one of these words, so that most texts need no search. */
  words: readonly string[];
  /**
   * Must run in linear time: the start of a match may not occur inside a match. If it could, the pattern starts in the
   * middle of the secret, and the group `before` matches backwards from there.
   */
  pattern: RegExp;
  isReal?: (match: string) => boolean;
  /** Must also match the text for the secret to be real. */
  beside?: RegExp;
};

const always = () => true;

/** Published key formats of services: prefix, length and, where the format has one, checksum. */
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

/** Number of different characters; placeholders such as "xxxx…" and "1234…" have fewer. */
const VARIETY_MIN = 12;
const MATCHES_MAX = 20;

/** Finds secrets in a text. @returns their kinds and offsets, never the secrets themselves */
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

/** Whether a match is an example key from documentation. */
function isPlaceholder(match: string): boolean {
  return match.length < 300 && /example|placeholder|your|dummy|sample|xxxx|test/i.test(match);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const CHECKSUM_LENGTH = 6;
const POLYNOMIAL = 0xedb88320;

/** Whether the last six characters of a GitHub or npm token are the CRC-32 in base 62 of the characters after its prefix. */
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
