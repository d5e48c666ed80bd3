import type { MailServer } from '../shared/mail-server.ts';
import type { Parse } from './setting-parsers.ts';

const PORTS = { implicit: 465, starttls: 587, none: 25 } as const;
const ADDRESS = /^[^\s@<>,;:"()]+@[^\s@<>,;:"()]+$/;
const NAMED = /^([^<>\p{Cc}]*)<([^<>]*)>$/u;

/** `smtps://` is TLS from the first byte, `smtp://` STARTTLS, which is demanded unless the query says `tls=none`. */
export const mailServerUrl: Parse<MailServer> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isKnown = url && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && url.hash === '';
  const isPlain = url?.search === '?tls=none' && url.protocol === 'smtp:';
  if (!isKnown || !/^\/?$/.test(url.pathname) || (url.search !== '' && !isPlain)) {
    throw new Error('must be smtp://user:password@host:port, smtps://…, or smtp://host:port?tls=none');
  }
  const tls = isPlain ? 'none' : url.protocol === 'smtps:' ? 'implicit' : 'starttls';
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const port = url.port === '' ? PORTS[tls] : Number(url.port);
  if (url.username === '') return { host, port, tls };
  return { host, port, tls, user: decoded(url.username), password: decoded(url.password) };
};

/** An address, or a name with the address in angle brackets. */
export const mailSender: Parse<string> = (value) => {
  const [, , named] = NAMED.exec(value) ?? [];
  if (!ADDRESS.test(named ?? value)) throw new Error('must be an address, or a name and <address>');
  return value;
};

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw new Error('must have its user and password percent-encoded');
  }
}
