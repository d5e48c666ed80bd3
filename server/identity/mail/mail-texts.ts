import { readFileSync } from 'node:fs';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Language } from '../../../shared/languages.ts';

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
  notice_plugin_warned: Type.String(),
  notice_plugin_hidden: Type.String(),
  notice_role_user: Type.String(),
  notice_role_admin: Type.String(),
  notice_role_super: Type.String(),
  notice_token_ending: Type.String(),
  notice_unsubscribe: Type.String(),
});
const checkTexts = Compile(MailTexts);

type MailText = Exclude<keyof (typeof MailTexts)['properties'], 'site'>;
/** In whose language a mail is, and what the deployment calls itself, if it has a name (setting BRAND_NAME). */
export type MailReader = { language: Language; siteName?: string | undefined };

type SayInMail = (text: MailText, values?: Readonly<Record<string, string | number>>) => string;

/** The words of mails in a language, from `locales/mail`; `{site}`, the deployment's name or ours, and other values are put in as they are. */
export function mailTexts({ language, siteName }: MailReader): SayInMail {
  const file = new URL(`../../../locales/mail/${language}.json`, import.meta.url);
  const pack = checkTexts.Parse(JSON.parse(readFileSync(file, 'utf8')));
  return (text, values = {}) => {
    const all: Readonly<Record<string, string | number>> = { ...values, site: siteName ?? pack.site };
    return pack[text].replaceAll(/\{(\w+)\}/g, (_, name: string) => String(all[name] ?? ''));
  };
}
