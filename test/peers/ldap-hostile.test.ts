import t from 'tap';
import { ldapMethod } from '../../server/identity/federation/ldap.ts';
import type { LdapSettings } from '../../server/identity/federation/settings.ts';
import { BASE_DN, GROUPS_DN, NO_SLAPD, SERVICE, slapdProgram, startSlapd } from './slapd.ts';
import { type Fate, ldapProxy, type Sent } from './support/ldap-proxy.ts';

/** Timeouts in milliseconds for a directory that does not reply, and for one that does. */
const LIMIT = 250;
const ENOUGH = 3000;
const ADA = { account: 'ada', password: 'CANARY-ada-password' };
const PEOPLE = `dn: uid=ada,ou=people,${BASE_DN}
objectClass: inetOrgPerson
uid: ada
cn: Ada
sn: Lovelace
userPassword: ${ADA.password}
`;

const program = slapdProgram();

t.test(
  'a directory that hangs, hesitates or hangs up',
  { skip: program === undefined && NO_SLAPD },
  async (t) => {
    if (program === undefined) return;
    const slapd = await startSlapd(t, program, PEOPLE);
    const plain = await ldapProxy(t, Number(new URL(slapd.url).port));
    const tls = await ldapProxy(t, Number(new URL(slapd.ldapsUrl).port));
    const common: LdapSettings = {
      method: 'ldap',
      url: `ldap://127.0.0.1:${plain.port}`,
      ca_file: slapd.caFile,
      bind_dn: SERVICE.dn,
      bind_password: SERVICE.password,
      base_dn: `ou=people,${BASE_DN}`,
      groups: { base_dn: GROUPS_DN },
    };
    const SETTINGS = {
      plain: { ...common, allow_plain: true },
      start_tls: { ...common, start_tls: true },
      ldaps: { ...common, url: `ldaps://127.0.0.1:${tls.port}` },
    };
    type Kind = keyof typeof SETTINGS;
    const outcome = async (kind: Kind, fate: (sent: Sent) => Fate, timeout = ENOUGH) => {
      plain.fate = fate;
      tls.fate = fate;
      try {
        const person = await ldapMethod({ ...SETTINGS[kind], timeout }, { source: 'ldap' }).authenticate(ADA);
        return person === undefined ? 'nobody' : 'let in';
      } catch (error) {
        return Object(error).code;
      }
    };
    const at =
      (operation: string, fate: Fate, sameBefore = 0) =>
      (sent: Sent): Fate =>
        sent.operation === operation && sent.sameBefore === sameBefore ? fate : 'pass';

    t.test('slow', async (t) => {
      const cases: [title: string, kind: Kind, fate: (sent: Sent) => Fate][] = [
        ['at the service account', 'plain', at('bind', 'hold')],
        ['at the search', 'plain', at('search', 'hold')],
        ['at the search for groups', 'plain', at('search', 'hold', 1)],
        ["at the person's password", 'plain', at('bind', 'hold', 1)],
        ['a byte at a time', 'plain', at('search', 'dribble')],
        ['at StartTLS', 'start_tls', at('start_tls', 'hold')],
        ['at the handshake after StartTLS', 'start_tls', at('tls', 'hold')],
        ['at the handshake of ldaps', 'ldaps', at('tls', 'hold')],
      ];
      for (const [title, kind, fate] of cases)
        t.equal(await outcome(kind, fate, LIMIT), 'SERVICE_UNAVAILABLE', title);
      for (const kind of ['plain', 'start_tls', 'ldaps'] as const) {
        t.equal(await outcome(kind, () => 'pass'), 'let in', `${kind}, when it answers`);
      }
    });

    t.test('a broken connection sends no password in plain text, and is not reopened', async (t) => {
      t.match(plain.seen().toString('latin1'), ADA.password, 'without TLS it would be seen');
      const before = plain.seen().length;
      const whole: Sent[] = [];
      await outcome('start_tls', (sent) => {
        whole.push(sent);
        return 'pass';
      });
      t.ok(whole.length > 4);
      for (const { before: place } of whole) {
        const connections = plain.connections();
        const came = await outcome('start_tls', (sent) => (sent.before === place ? 'cut' : 'pass'));
        t.match(came, /^(let in|SERVICE_UNAVAILABLE)$/, `after piece ${place}`);
        t.equal(plain.connections(), connections + 1);
      }
      const seen = plain.seen().subarray(before).toString('latin1');
      t.notMatch(seen, ADA.password);
      t.notMatch(seen, SERVICE.password);
    });
  },
);
