import { escapeMarkup } from '../../../shared/escape-markup.ts';
import type { Language } from '../../../shared/languages.ts';
import { noticePath, noticeText } from '../../../shared/notice.ts';
import type { NoticeData, NoticeKind } from '../../../shared/routes/notice.ts';
import { ADDRESS_LINK_LIFETIME } from '../lifetimes.ts';
import { type MailReader, mailTexts } from './mail-texts.ts';
import type { Mail } from './mailer.ts';

type Words = {
  title: string;
  before: string[];
  link: string;
  button: string;
  after: string[];
  /** The last line: a text that is a link. */
  end?: { text: string; link: string };
};

const LINK_HOURS = ADDRESS_LINK_LIFETIME / (60 * 60 * 1000);

/** The mail with a link to set a new password. Nothing in it was typed by anybody: anybody may have it sent. */
export function resetMail(
  to: string,
  { language, siteName, link, minutes }: MailReader & { link: string; minutes: number },
): Mail {
  const say = mailTexts({ language, siteName });
  const title = say('reset_subject');
  const before = [say('reset_text')];
  const after = [say('reset_expiry', { minutes }), say('reset_ignore')];
  return mailOf(to, language, { title, before, link, button: say('reset_button'), after });
}

/** The mail for a user who has no password here, but signs in by another directory. */
export function elsewhereMail(to: string, { language, siteName, link }: MailReader & { link: string }): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('elsewhere_text')];
  const words = { title: say('elsewhere_subject'), before, link, button: say('elsewhere_button') };
  return mailOf(to, language, { ...words, after: [say('reset_ignore')] });
}

type Linked = {
  /** What the owner is called here. */
  account: string;
  provider: string;
  /** Of the user there, each empty when it is not known. */
  name: string;
  email: string;
};

/** The mail that tells an owner which sign-in elsewhere was linked to their account, when, and how to undo it. */
export function linkedMail(
  to: string,
  { language, siteName, link, at, linked }: MailReader & { link: string; at: Date; linked: Linked },
): Mail {
  const say = mailTexts({ language, siteName });
  const { account, provider, name, email } = linked;
  const person = name && email ? `${name} (${email})` : name || email;
  const when = momentIn(language, at);
  const before = [say('linked_text', { when, account, provider, person }), say('linked_undo')];
  const title = say('linked_subject');
  return mailOf(to, language, { title, before, link, button: say('linked_button'), after: [] });
}

function momentIn(language: Language, at: Date): string {
  const time = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${time.format(at)} UTC`;
}

/**
 * The mail with a link that ends a sign-up. `isSaid`: an account signs in by this address already without having proved
 * it, and loses it by the link.
 */
export function signUpMail(
  to: string,
  { language, siteName, link, isSaid }: MailReader & { link: string; isSaid: boolean },
): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('sign_up_text'), ...(isSaid ? [say('sign_up_said')] : [])];
  const after = [say('link_expiry', { hours: LINK_HOURS }), say('sign_up_ignore')];
  const words = { title: say('sign_up_subject'), before, link, button: say('sign_up_button'), after };
  return mailOf(to, language, words);
}

/** The mail for the owner of an address that somebody has tried to sign up with. */
export function existsMail(to: string, { language, siteName, link }: MailReader & { link: string }): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('exists_text')];
  const words = { title: say('exists_subject'), before, link, button: say('elsewhere_button') };
  return mailOf(to, language, { ...words, after: [say('reset_ignore')] });
}

/** The mail with a link by which who is signed in proves their address. */
export function addressMail(to: string, { language, siteName, link }: MailReader & { link: string }): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('address_text')];
  const after = [say('link_expiry', { hours: LINK_HOURS }), say('address_ignore')];
  const words = { title: say('address_subject'), before, link, button: say('address_button'), after };
  return mailOf(to, language, words);
}

/** The mail with a link by which who is signed in takes another address; nothing in it was typed by anybody. */
export function newAddressMail(
  to: string,
  { language, siteName, link }: MailReader & { link: string },
): Mail {
  const say = mailTexts({ language, siteName });
  const title = say('new_address_subject');
  const after = [say('link_expiry', { hours: LINK_HOURS }), say('address_ignore')];
  const button = say('new_address_button');
  return mailOf(to, language, { title, before: [say('new_address_text')], link, button, after });
}

/** The mail for the owner of an address that somebody else wants for their account. */
export function addressTakenMail(
  to: string,
  { language, siteName, link }: MailReader & { link: string },
): Mail {
  const say = mailTexts({ language, siteName });
  const words = { title: say('address_taken_subject'), before: [say('address_taken_text')], link };
  return mailOf(to, language, { ...words, button: say('elsewhere_button'), after: [say('reset_ignore')] });
}

/** What is told the owner of an account about it, and where a link leads. */
type Told = MailReader & { link: string; account: string; at: Date };

/** The mail that tells the address of before that it is the account's no more. */
export function addressChangedMail(to: string, { language, siteName, link, account, at }: Told): Mail {
  const say = mailTexts({ language, siteName });
  const when = momentIn(language, at);
  const before = [say('address_changed_text', { when, account }), say('address_changed_undo')];
  const words = { title: say('address_changed_subject'), before, link, button: say('linked_button') };
  return mailOf(to, language, { ...words, after: [] });
}

/** The mail that tells when an account goes, and how to keep it. */
export function deletionMail(to: string, { language, siteName, link, account, at }: Told): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('deletion_text', { when: momentIn(language, at), account }), say('deletion_undo')];
  const words = { title: say('deletion_subject'), before, link, button: say('elsewhere_button') };
  return mailOf(to, language, { ...words, after: [] });
}

/** The mail that tells of a sign-in which has called a deletion off. */
export function deletionOffMail(to: string, { language, siteName, link, account, at }: Told): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('deletion_off_text', { when: momentIn(language, at), account })];
  const words = { title: say('deletion_off_subject'), before, link, button: say('linked_button') };
  return mailOf(to, language, { ...words, after: [say('deletion_off_undo')] });
}

/** The last mail to somebody whose account is gone. */
export function deletedMail(to: string, { language, siteName, link, account, at }: Told): Mail {
  const say = mailTexts({ language, siteName });
  const before = [say('deleted_text', { when: momentIn(language, at), account })];
  const words = { title: say('deleted_subject'), before, link, button: say('elsewhere_button') };
  return mailOf(to, language, { ...words, after: [] });
}

type Shown = MailReader & {
  kind: NoticeKind;
  data: NoticeData;
  publicUrl: string;
  /** Ends mails of this kind. */
  link: string;
};

/** The mail that tells of a notice. What people wrote is text in it, and on one line of its subject. */
export function noticeMail(to: string, { language, siteName, kind, data, publicUrl, link }: Shown): Mail {
  const say = mailTexts({ language, siteName });
  const { plugin_name = '', version = '', token_name = '', ends_at, reason } = data;
  const when = ends_at === undefined ? '' : momentIn(language, new Date(ends_at));
  const values = { plugin: plugin_name, version, token: token_name, when };
  const title = say(`notice_${noticeText(kind, data)}`, values).replaceAll(/\p{Cc}+/gu, ' ');
  const words = { title, before: [title, ...(reason === undefined ? [] : [reason])] };
  const place = { link: publicUrl + noticePath(kind, data), button: say('elsewhere_button') };
  const end = { text: say('notice_unsubscribe'), link };
  return mailOf(to, language, { ...words, ...place, after: [], end });
}

function mailOf(to: string, language: Language, { title, before, link, button, after, end }: Words): Mail {
  const paragraph = (text: string) => `<p>${escapeMarkup(text)}</p>`;
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeMarkup(title)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1d1d20;background:#fff">',
    ...before.map(paragraph),
    `<p><a href="${escapeMarkup(link)}" style="display:inline-block;padding:10px 20px;border-radius:8px;`,
    `color:#fff;background:#1d1d20;text-decoration:none">${escapeMarkup(button)}</a></p>`,
    `<p style="word-break:break-all">${escapeMarkup(link)}</p>`,
    ...after.map(paragraph),
    ...(end ? [`<p><a href="${escapeMarkup(end.link)}">${escapeMarkup(end.text)}</a></p>`] : []),
    '</body></html>',
  ].join('\n');
  const last = end ? [`${end.text} ${end.link}`] : [];
  return { to, subject: title, text: [...before, link, ...after, ...last].join('\n\n'), html };
}
