import type { Profile } from '@node-saml/node-saml';
import { personOf, type ReadField } from '../field-names.ts';
import type { ExternalPerson } from '../method.ts';
import type { FieldNames } from '../settings/common.ts';

const CLAIMS = 'http://schemas.xmlsoap.org/ws/2005/05/identity/claims';

/** What identity providers call these by default: short names, those of X.500 (RFC 4524), and Microsoft's claims. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  user_name: ['uid', 'urn:oid:0.9.2342.19200300.100.1.1', `${CLAIMS}/name`],
  email: ['email', 'mail', 'urn:oid:0.9.2342.19200300.100.1.3', `${CLAIMS}/emailaddress`],
  nick_name: [
    'displayName',
    'urn:oid:2.16.840.1.113730.3.1.241',
    'http://schemas.microsoft.com/identity/claims/displayname',
    'cn',
  ],
  mobile: ['mobile', 'urn:oid:0.9.2342.19200300.100.1.41', `${CLAIMS}/mobilephone`],
  department: ['department', 'ou', `${CLAIMS}/department`],
  avatar_url: ['picture'],
  groups: [
    'groups',
    'memberOf',
    'http://schemas.microsoft.com/ws/2008/06/identity/claims/groups',
    `${CLAIMS}/Group`,
  ],
};

const SUBJECT = 'nameID';
const TRANSIENT = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient';

/** A person from an assertion. A transient name is another one each time, so it names nobody (SAML core 8.3.8). */
export function personOfProfile(profile: Profile, names: FieldNames = {}): ExternalPerson | undefined {
  const own = names.subject === undefined && profile.nameIDFormat === TRANSIENT ? '' : profile.nameID;
  const attributes = attributesOf(profile);
  const read: ReadField = (field) => {
    if (field === SUBJECT) return own ? [own] : [];
    for (const name of ALIASES[field] ?? [field]) {
      const values = attributes.get(name.toLowerCase());
      if (values) return values;
    }
    return [];
  };
  return personOf(
    {
      subject: SUBJECT,
      user_name: 'user_name',
      email: 'email',
      nick_name: 'nick_name',
      mobile: 'mobile',
      department: 'department',
      avatar_url: 'avatar_url',
      groups: 'groups',
      ...names,
    },
    read,
  );
}

function attributesOf(profile: Profile): ReadonlyMap<string, readonly string[]> {
  const { attributes } = profile;
  if (typeof attributes !== 'object' || attributes === null) return new Map();
  return new Map(
    Object.entries(attributes).map(([name, value]) => [
      name.toLowerCase(),
      [value].flat().filter((one) => typeof one === 'string'),
    ]),
  );
}
