import { isIP } from 'node:net';
import { isMailAddress } from '../shared/mail-address.ts';
import type { RedisAddress } from './gateway/options.ts';
import type { MailServer } from './identity/mail/mailer.ts';
import type { Parse } from './setting-parsers.ts';

/** An http or https address without a trailing slash, query or credentials. */
export const httpUrl: Parse<string> = (value) => {
  if (/[?#]/.test(value)) throw new Error('must be an http or https address');
  return queryUrl(value);
};

/** The same, with an optional query. */
export const queryUrl: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password || url.hash) {
    throw new Error('must be an http or https address');
  }
  return url.search ? url.href : url.href.replace(/\/+$/, '');
};

/** An http or https address with optional query and fragment. */
export const webAddress: Parse<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    throw new Error('must be an http or https address');
  }
  return url.href;
};

/** An issuer identifier (OpenID Connect Discovery 1.0); not normalised, because it is compared character by character. */
export const issuer: Parse<string> = (value) => {
  httpUrl(value);
  return value;
};

/** An origin: only scheme, host and port. */
export const origin: Parse<string> = (value) => {
  const href = httpUrl(value);
  if (new URL(href).origin !== href)
    throw new Error('must be an origin such as https://example.org, without a path');
  return href;
};

/** An origin whose pages get a right: each is written in full. */
export const exactOrigin: Parse<string> = (value) => {
  if (value.includes('*')) throw new Error('must name each origin in full: there are no wildcards');
  return origin(value);
};

/**
 * The origins of design tools that may show this site inside of them: those of `frame-ancestors`, if it names each in full. With
 * a wildcard or a scheme nobody knows who frames a page, so there are none.
 */
export function toolOriginsOf(frameAncestors: string, publicUrl: string): string[] {
  const named = frameAncestors.split(/\s+/).filter((source) => source !== '' && !KEYWORDS.has(source));
  const isExact = (source: string): boolean => {
    try {
      return exactOrigin(source) === source;
    } catch {
      return false;
    }
  };
  return named.every(isExact) ? named.filter((source) => source !== publicUrl) : [];
}

const KEYWORDS: ReadonlySet<string> = new Set(["'self'", "'none'"]);

const REDIS_FORMS =
  'must be an address such as redis://localhost:6379, redis+sentinel://a:26379,b:26379/NAME or redis+cluster://a:6379,b:6379, or the path of a socket';
const SEVERAL = /^(rediss?)\+(sentinel|cluster):\/\/(?:([^@/?#]*)@)?([^@/?#]+)(\/[^?#]*)?(\?[^#]*)?$/;
const REDIS_PORTS = { sentinel: 26_379, cluster: 6379 } as const;

/**
 * Redis: `redis:` or `rediss:` (TLS) with optional credentials and database number, the path of a socket, the sentinels of
 * a primary (`redis+sentinel://user:password@host,host/NAME/0`, with `sentinel_username` and `sentinel_password` in the
 * query), or nodes of a cluster (`redis+cluster://user:password@host,host`).
 */
export const redisUrl: Parse<RedisAddress> = (value) => {
  if (value.startsWith('/')) return { kind: 'server', url: value };
  const [, scheme, kind, login = '', hosts = '', path = '', search = ''] = SEVERAL.exec(value) ?? [];
  if (kind !== 'sentinel' && kind !== 'cluster') {
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const isKnown = url && /^rediss?:$/.test(url.protocol) && url.hostname !== '';
    if (!isKnown || !/^(?:\/\d{0,3})?$/.test(url.pathname)) throw new Error(REDIS_FORMS);
    return { kind: 'server', url: value };
  }
  const nodes = hosts.split(',').map((host) => redisNode(host, REDIS_PORTS[kind]));
  const [user = '', ...secret] = login.split(':');
  const base = {
    nodes,
    isEncrypted: scheme === 'rediss',
    ...(user !== '' && { username: decoded(user) }),
    ...(secret.length > 0 && { password: decoded(secret.join(':')) }),
  };
  if (kind === 'cluster') {
    if (!/^\/?$/.test(path) || search !== '') throw new Error(REDIS_FORMS);
    return { kind, ...base };
  }
  const [, name, db = '0'] = /^\/([\w.-]+)(?:\/(\d{1,3}))?$/.exec(path) ?? [];
  const { sentinel_username, sentinel_password, ...unknown } = Object.fromEntries(
    new URLSearchParams(search),
  );
  if (name === undefined || Object.keys(unknown).length > 0) throw new Error(REDIS_FORMS);
  return {
    ...{ kind, ...base, name, db: Number(db) },
    ...(sentinel_username !== undefined && { sentinelUsername: sentinel_username }),
    ...(sentinel_password !== undefined && { sentinelPassword: sentinel_password }),
  };
};

function redisNode(text: string, defaultPort: number): { host: string; port: number } {
  const url = URL.canParse(`redis://${text}`) ? new URL(`redis://${text}`) : undefined;
  if (!url || url.hostname === '') throw new Error(REDIS_FORMS);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? defaultPort : Number(url.port),
  };
}

/** Address or CIDR range of a proxy. A number of hops is refused, because clients could forge addresses with it. */
export const proxyAddress: Parse<string> = (value) => {
  const known = ['loopback', 'linklocal', 'uniquelocal'].includes(value);
  const [address = '', bits, ...rest] = value.split('/');
  const version = isIP(address);
  const isRange =
    bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (version === 4 ? 32 : 128));
  if (!known && (version === 0 || !isRange || rest.length > 0)) {
    throw new Error('must hold addresses or ranges such as 10.0.0.0/8, never a number of hops');
  }
  return value;
};

/** Address of a name server, with a port if it is not the usual one. */
export const nameServer: Parse<string> = (value) => {
  const [, inBrackets, plain, port = '53'] = /^(?:\[([^\]]+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(value) ?? [];
  const isAddress = isIP(value) > 0 || isIP(inBrackets ?? '') === 6 || isIP(plain ?? '') === 4;
  if (!isAddress || Number(port) > 65_535 || Number(port) === 0)
    throw new Error('must be the address of a name server, such as 10.0.0.2 or 10.0.0.2:5353');
  return value;
};

const MAIL_PORTS = { implicit: 465, starttls: 587, none: 25 } as const;
const NAMED = /^([^<>\p{Cc}]*)<([^<>]*)>$/u;

/** `smtps://` is implicit TLS; `smtp://` requires STARTTLS, unless the query is `tls=none`. */
export const mailServerUrl: Parse<MailServer> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isKnown = url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && url.hash === '';
  const isPlain = url?.search === '?tls=none' && url.protocol === 'smtp:';
  if (!isKnown || !/^\/?$/.test(url.pathname) || (url.search !== '' && !isPlain)) {
    throw new Error('must be smtp://user:password@host:port, smtps://…, or smtp://host:port?tls=none');
  }
  const tls = isPlain ? 'none' : url.protocol === 'smtps:' ? 'implicit' : 'starttls';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? MAIL_PORTS[tls] : Number(url.port);
  if (url.username === '') return { host, port, tls };
  return { host, port, tls, user: decoded(url.username), password: decoded(url.password) };
};

/** An address, or a name and the address in angle brackets. */
export const mailSender: Parse<string> = (value) => {
  const [, , named] = NAMED.exec(value) ?? [];
  if (!isMailAddress(named ?? value)) throw new Error('must be an address, or a name and <address>');
  return value;
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
}
