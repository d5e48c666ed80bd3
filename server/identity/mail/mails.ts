import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { escapeMarkup } from '../../../shared/escape-markup.ts';
import { FALLBACK_LANGUAGE, type Language } from '../../../shared/languages.ts';
import { noticeDataIn, noticePath, noticeText } from '../../../shared/notice.ts';
import type { NoticeData, NoticeKind } from '../../../shared/routes/notice.ts';
import { ADDRESS_LINK_LIFETIME, RESET_LIFETIME } from '../lifetimes.ts';
import type { Mail, Mailer } from './mailer.ts';

const MailTexts = Type.Object({
  site: Type.String(),
  reset_subject: Type.String(),
  reset_text: Type.String(),
  reset_button: Type.String(),
  reset_expiry: Type.String(),
  reset_ignore: Type.String(),
  elsewhere_subject: Type.String(),
  elsewhere_text: Type.String(),
  elsewhere_button: Type.String(),
  linked_subject: Type.String(),
  linked_text: Type.String(),
  linked_undo: Type.String(),
  linked_button: Type.String(),
  sign_up_subject: Type.String(),
  sign_up_text: Type.String(),
  sign_up_said: Type.String(),
  sign_up_button: Type.String(),
  sign_up_ignore: Type.String(),
  exists_subject: Type.String(),
  exists_text: Type.String(),
  address_subject: Type.String(),
  address_text: Type.String(),
  address_button: Type.String(),
  address_ignore: Type.String(),
  new_address_subject: Type.String(),
  new_address_text: Type.String(),
  new_address_button: Type.String(),
  address_taken_subject: Type.String(),
  address_taken_text: Type.String(),
  address_changed_subject: Type.String(),
  address_changed_text: Type.String(),
  address_changed_undo: Type.String(),
  deletion_subject: Type.String(),
  deletion_text: Type.String(),
  deletion_undo: Type.String(),
  deletion_off_subject: Type.String(),
  deletion_off_text: Type.String(),
  deletion_off_undo: Type.String(),
  deleted_subject: Type.String(),
  deleted_text: Type.String(),
  link_expiry: Type.String(),
  notice_submitted: Type.String(),
  notice_approved: Type.String(),
  notice_rejected: Type.String(),
  notice_taken_back: Type.String(),
  notice_report_upheld: Type.String(),
  notice_report_dismissed: Type.String(),
  notice_publisher_report_upheld: Type.String(),
  notice_publisher_report_dismissed: Type.String(),
  notice_collection_report_upheld: Type.String(),
  notice_collection_report_dismissed: Type.String(),
  notice_plugin_warned: Type.String(),
  notice_plugin_hidden: Type.String(),
  notice_plugin_withdrawn: Type.String(),
  notice_plugin_deprecated: Type.String(),
  notice_installed_must_stop: Type.String(),
  notice_installed_may_keep: Type.String(),
  notice_installed_version: Type.String(),
  notice_installed_deprecated: Type.String(),
  notice_installed_succeeded: Type.String(),
  notice_profile_hidden: Type.String(),
  notice_verification_failing: Type.String(),
  notice_verification_ended: Type.String(),
  notice_verification_given: Type.String(),
  notice_verification_taken: Type.String(),
  notice_role_user: Type.String(),
  notice_role_admin: Type.String(),
  notice_role_super: Type.String(),
  notice_token_ending: Type.String(),
  notice_followed_version: Type.String(),
  notice_followed_publisher: Type.String(),
  notice_followed_tag: Type.String(),
  notice_unsubscribe: Type.String(),
});
const checkTexts = Compile(MailTexts);

type MailText = Exclude<keyof (typeof MailTexts)['properties'], 'site'>;
export type Values = Readonly<Record<string, string | number | Date>>;

/** Language of a mail, and the deployment's own name, if it has one (setting BRAND_NAME). */
type MailReader = { language: Language; siteName?: string | undefined };

const packs = new Map<Language, Static<typeof MailTexts>>();

/** The pack of a language, which a process reads once. */
function packOf(language: Language): Static<typeof MailTexts> {
  const known = packs.get(language);
  if (known !== undefined) return known;
  const file = new URL(`../../../locales/mail/${language}.json`, import.meta.url);
  const pack = checkTexts.Parse(JSON.parse(readFileSync(file, 'utf8')));
  packs.set(language, pack);
  return pack;
}

/**
 * The texts of mails in one language, from `locales/mail`. Fills in `{site}` (the name of the deployment, or ours) and the
 * given values; dates are written in that language, in UTC.
 */
export function mailTexts({ language, siteName }: MailReader): (text: MailText, values?: Values) => string {
  const pack = packOf(language);
  const dates = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return (text, values = {}) => {
    const all: Values = { ...values, site: siteName ?? pack.site };
    return pack[text].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = all[name] ?? '';
      return value instanceof Date ? `${dates.format(value)} UTC` : String(value);
    });
  };
}

type Layout = {
  before: readonly MailText[];
  button: MailText;
  after?: readonly MailText[];
};

/** Mails about accounts. Anyone can trigger some of them for any address, so those contain no user input. */
const MAILS = {
  reset: { before: ['reset_text'], button: 'reset_button', after: ['reset_expiry', 'reset_ignore'] },
  /** The user asked for a new password, but has none here and signs in through another provider. */
  elsewhere: { before: ['elsewhere_text'], button: 'elsewhere_button', after: ['reset_ignore'] },
  linked: { before: ['linked_text', 'linked_undo'], button: 'linked_button' },
  sign_up: { before: ['sign_up_text'], button: 'sign_up_button', after: ['link_expiry', 'sign_up_ignore'] },
  /** Another account signs in with this address without having verified it, and loses it when the link is used. */
  sign_up_unverified: {
    before: ['sign_up_text', 'sign_up_said'],
    button: 'sign_up_button',
    after: ['link_expiry', 'sign_up_ignore'],
  },
  /** Somebody tried to sign up with the address of an existing account. */
  exists: { before: ['exists_text'], button: 'elsewhere_button', after: ['reset_ignore'] },
  address: { before: ['address_text'], button: 'address_button', after: ['link_expiry', 'address_ignore'] },
  new_address: {
    before: ['new_address_text'],
    button: 'new_address_button',
    after: ['link_expiry', 'address_ignore'],
  },
  address_taken: { before: ['address_taken_text'], button: 'elsewhere_button', after: ['reset_ignore'] },
  address_changed: { before: ['address_changed_text', 'address_changed_undo'], button: 'linked_button' },
  deletion: { before: ['deletion_text', 'deletion_undo'], button: 'elsewhere_button' },
  /** A sign-in canceled the deletion. */
  deletion_off: { before: ['deletion_off_text'], button: 'linked_button', after: ['deletion_off_undo'] },
  deleted: { before: ['deleted_text'], button: 'elsewhere_button' },
} as const satisfies Record<string, Layout>;

export type MailKind = keyof typeof MAILS;

const MINUTE = 60_000;
const LIFETIMES = { minutes: RESET_LIFETIME / MINUTE, hours: ADDRESS_LINK_LIFETIME / (60 * MINUTE) };

/** Whether a text is a kind of this release. */
export function isMailKind(kind: string): kind is MailKind {
  return Object.hasOwn(MAILS, kind);
}

/** A mail about an account. `language` defaults to the fallback language. */
export function accountMail(
  mailer: Mailer,
  kind: MailKind,
  {
    to,
    language,
    link,
    values,
  }: { to: string; language?: Language | null | undefined; link: string; values?: Values },
): Mail {
  const reader = { language: language ?? FALLBACK_LANGUAGE, siteName: mailer.siteName };
  const texts = mailTexts(reader);
  const { before, button, after = [] }: Layout = MAILS[kind];
  const subject: MailText = kind === 'sign_up_unverified' ? 'sign_up_subject' : `${kind}_subject`;
  const text = (name: MailText): string => texts(name, { ...LIFETIMES, ...values });
  return createMail(to, reader.language, {
    title: text(subject),
    before: before.map(text),
    link,
    button: text(button),
    after: after.map(text),
  });
}

type NoticeMail = MailReader & {
  kind: NoticeKind;
  data: NoticeData;
  publicUrl: string;
  /** Unsubscribes from mails of this kind. */
  link: string;
};

/** The mail about a notice. User input appears in it as plain text only, and in the subject on one line. */
export function noticeMail(
  to: string,
  { language, siteName, kind, data, publicUrl, link }: NoticeMail,
): Mail {
  const text = mailTexts({ language, siteName });
  const read = noticeDataIn(data, language);
  const { plugin_name = '', successor_name = '', version = '', token_name = '', ends_at } = read;
  const { domain = '', reason } = read;
  const when = ends_at === undefined ? '' : new Date(ends_at);
  const values = { plugin: plugin_name, successor: successor_name, version, token: token_name, domain, when };
  const title = text(`notice_${noticeText(kind, data)}`, values).replaceAll(/\p{Cc}+/gu, ' ');
  return createMail(to, language, {
    title,
    before: [title, ...(reason === undefined ? [] : [reason])],
    link: publicUrl + noticePath(kind, data),
    button: text('elsewhere_button'),
    after: [],
    footer: { text: text('notice_unsubscribe'), link },
  });
}

type Content = {
  title: string;
  before: string[];
  link: string;
  button: string;
  after: string[];
  footer?: { text: string; link: string };
};

function createMail(
  to: string,
  language: Language,
  { title, before, link, button, after, footer }: Content,
): Mail {
  const paragraph = (text: string) => `<p>${escapeMarkup(text)}</p>`;
  const html = [
    `<!doctype html><html lang="${language}"><head><meta charset="utf-8"><title>${escapeMarkup(title)}</title></head>`,
    '<body style="margin:0;padding:24px;font:16px/1.5 sans-serif;color:#1d1d20;background:#fff">',
    ...before.map(paragraph),
    `<p><a href="${escapeMarkup(link)}" style="display:inline-block;padding:10px 20px;border-radius:8px;`,
    `color:#fff;background:#1d1d20;text-decoration:none">${escapeMarkup(button)}</a></p>`,
    `<p style="word-break:break-all">${escapeMarkup(link)}</p>`,
    ...after.map(paragraph),
    ...(footer ? [`<p><a href="${escapeMarkup(footer.link)}">${escapeMarkup(footer.text)}</a></p>`] : []),
    '</body></html>',
  ].join('\n');
  const last = footer ? [`${footer.text} ${footer.link}`] : [];
  return { to, subject: title, text: [...before, link, ...after, ...last].join('\n\n'), html };
}
