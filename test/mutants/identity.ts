import type { Fault } from './fault.ts';

const QUEUE = 'server/identity/mail/queue.ts';

/** Accounts and mails. */
export const IDENTITY_FAULTS: readonly Fault[] = [
  {
    file: 'server/identity/own-account/own-account.ts',
    text: `await reauthenticate(identity, caller, { typed: body, request });
    return exportAccount(identity, caller);`,
    replacement: 'return exportAccount(identity, caller);',
    checks: ['members-proof'],
    why: 'a stolen session takes all data of its user away',
  },
  {
    file: 'server/community/publishing/tokens/tokens.ts',
    text: 'await rights.reauthenticate(accessToken, typed, request);',
    replacement: '',
    checks: ['members-proof'],
    why: 'a stolen session creates a publish token, which outlives it',
  },
  {
    file: 'server/identity/mail/plugin.ts',
    text: '[sendDueAccountMail, sendDueMail]',
    replacement: '[sendDueMail]',
    tests: ['test/identity/sign-in/password/password.test.ts'],
    why: 'a mail about an account that is refused for now is never sent',
  },
  {
    file: QUEUE,
    text: 'if ((isOfMail && responseCode >= 500)',
    replacement: 'if ((isOfMail && (responseCode >= 500 || responseCode === SERVER_CLOSES))',
    tests: ['test/identity/sign-in/password/password.test.ts'],
    why: 'a mail server that restarts loses mails for good',
  },
  {
    file: QUEUE,
    text: '!isOfMail || responseCode === SERVER_CLOSES',
    replacement: '!isOfMail',
    tests: ['test/identity/sign-in/password/password.test.ts'],
    why: 'a mail server that restarts gets every waiting mail at once',
  },
  {
    file: QUEUE,
    text: ' || now > giveUpAt.getTime()',
    replacement: '',
    tests: ['test/identity/sign-in/password/password.test.ts'],
    why: 'a notice that can never be delivered is tried for ever',
  },
  {
    file: 'server/identity/sign-in/federation/provision.ts',
    text: 'const isActiveSuperAdmin = locked.role === ROLE_SUPER_ADMIN && locked.disabled_at === null;',
    replacement: 'const isActiveSuperAdmin = false;',
    tests: ['test/identity/sign-in/federation/custom-sso.test.ts'],
    why: 'groups take the role of the last super administrator',
  },
];
