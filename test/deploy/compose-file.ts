import { readFileSync } from 'node:fs';
import { parse } from 'yaml';

export type Service = {
  image: string;
  command?: string[];
  environment?: Record<string, string>;
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  tmpfs?: string[];
  volumes?: string[];
  /** Names, or settings by name. */
  networks?: string[] | Record<string, { ipv4_address?: string } | null>;
};

export type Compose = {
  services: Record<string, Service>;
  volumes: Record<string, unknown>;
  networks: Record<string, { internal?: boolean }>;
};

/** Content of .env. */
export const ENV: Readonly<Record<string, string>> = {
  PUBLIC_URL: 'https://plugins.example',
  POSTGRES_PASSWORD: 'pa55',
  SERVICE_KEYS: Buffer.alloc(32, 2).toString('base64url'),
  SESSION_KEYS: Buffer.alloc(32, 1).toString('base64url'),
  S3_ACCESS_KEY_ID: 'square',
  S3_SECRET_ACCESS_KEY: 'secret',
  ADMIN_EMAIL: 'admin@plugins.example',
  ADMIN_PASSWORD: 'a long pass phrase',
};

/** Parses compose.yaml like Compose, with ENV and changed variables. */
export function readCompose(env: Readonly<Record<string, string>> = {}): Compose {
  const text = readFileSync(new URL('../../compose.yaml', import.meta.url), 'utf8');
  return parse(filled(text, { ...ENV, ...env }), { merge: true });
}

/** Replaces variables like Compose: `${NAME}`, `${NAME:-default}` and `${NAME:?why}` (Compose specification, interpolation). */
function filled(text: string, env: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_all, name: string, kind, word: string) => {
    const value = env[name] ?? '';
    if (value !== '') return value;
    if (kind === '?') throw new Error(`${name} is missing: ${word}`);
    return kind === '-' ? word : '';
  });
}
