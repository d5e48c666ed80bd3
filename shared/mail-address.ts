/** Octets of an address and of its part before the @ (RFC 5321 section 4.5.3.1, with erratum 1690), of a host and of a label. */
const ADDRESS_MAX = 254;
const LOCAL_MAX = 64;
const HOST_MAX = 253;
const LABEL_MAX = 63;

/** Beside ASCII (RFC 6531 section 3.3): what can be seen, and marks that belong to it; nothing that draws nothing. */
const BEYOND_ASCII = String.raw`(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{M}\p{N}\p{P}\p{S}]`;
/** An atom (RFC 5322 section 3.2.3) with letters of all scripts. */
const ATOM = String.raw`(?:[\w!#$%&'*+/=?^\x60{|}~-]|(?![\0-\x7f])${BEYOND_ASCII})+`;
const DOT_STRING = new RegExp(String.raw`^${ATOM}(?:\.${ATOM})*$`, 'u');
/** A label of a host name (RFC 1123 section 2.1), or one of RFC 5890: letters, digits and inner hyphens. */
const LABEL = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}\p{N}])?$/u;

/**
 * Whether a text is a mail address: a dot-string and a fully qualified host name (RFC 5321 sections 2.3.5 and 4.1.2), with
 * letters of all scripts (RFC 6531). What normalises to another form is none, so that a mailbox has one address: compatibility
 * characters, a dot at the end, upper case or `xn--` in a host of another script.
 */
export function isMailAddress(text: string): boolean {
  const place = text.lastIndexOf('@');
  const [local, host] = [text.slice(0, place), text.slice(place + 1)];
  if (place < 1 || text.normalize('NFKC') !== text || octets(text) > ADDRESS_MAX) return false;
  return octets(local) <= LOCAL_MAX && DOT_STRING.test(local) && isHostName(host);
}

function isHostName(host: string): boolean {
  const labels = host.split('.');
  const isNumber = /^\d+$/.test(labels.at(-1) ?? '');
  return octets(host) <= HOST_MAX && labels.length > 1 && !isNumber && labels.every(isLabel);
}

function isLabel(label: string): boolean {
  if (!LABEL.test(label) || octets(label) > LABEL_MAX || /^..--/u.test(label)) return false;
  return /^[\0-\x7f]*$/.test(label) || label === label.toLowerCase();
}

function octets(text: string): number {
  return new TextEncoder().encode(text).length;
}
