import type { ManagedMark } from '../../../../shared/entities/backstage.ts';
import type { Mark, PluginDetail } from '../../../../shared/entities/plugin.ts';
import type { PublicUser } from '../../../../shared/entities/user.ts';
import { FALLBACK_LANGUAGE, LANGUAGES, type Texts, textIn } from '../../../../shared/languages.ts';
import { shownPicture } from '../../../features/publishing/files/files.ts';
import type { PublishForm } from '../../../features/publishing/use-publish-form.ts';

type Facts = {
  form: PublishForm;
  publisher: PublicUser;
  now: number;
  /** Marks that there are, as far as the reader is told of them. */
  marks: readonly ManagedMark[];
  /** Stands in for a name, or an intro, that is not written yet. */
  placeholders: { name: string; intro: string };
};

const NO_KEY = 'preview-of-nothing';

/** The plugin as it would be shown, made from what stands in the form. */
export function previewPlugin(facts: Facts): PluginDetail {
  const { fields, subject, choices, code } = facts.form;
  const { values, language } = fields;
  const { files } = choices;
  const inLanguage = (texts: Texts) => textIn(texts, language, values.default_lang);
  const name = inLanguage(values.name);
  const intro = inLanguage(values.intro);
  const description = inLanguage(values.description);
  const read = code.state.state === 'read' ? code.state.reading.package : null;
  const at = new Date(facts.now).toISOString();
  return {
    plugin_key: subject.plugin?.plugin_key ?? NO_KEY,
    is_praise: -1,
    is_installed: false,
    name: name.text || facts.placeholders.name,
    intro: intro.text || facts.placeholders.intro,
    lang: name.text ? name.lang : language,
    icon: shownPicture(files.icon),
    cover: shownPicture(files.cover),
    tags: subject.tags.filter((tag) => values.tags.includes(tag.code)),
    publisher: facts.publisher,
    plugin_mark: values.plugin_mark,
    mark: chosenMark(facts),
    version: values.version,
    praise_count: 0,
    install_count: 0,
    view_count: 0,
    updated_at: at,
    description: description.text,
    description_lang: description.lang,
    languages: LANGUAGES.filter((one) => one in values.name),
    media: [],
    contact: values.contact,
    support: values.support,
    copyright: { kind: values.copyright_kind, holder: values.copyright_holder },
    allowed_domains: read?.allowed_domains ?? null,
    package_bytes: files.code?.size ?? 0,
    audit_status: 1,
    created_at: at,
  };
}

function chosenMark({ form, marks }: Facts): Mark | null {
  const { values, language } = form.fields;
  const mark = marks.find(({ code, is_hidden }) => code === values.plugin_mark && !is_hidden);
  if (!mark) return null;
  const { text, lang } = textIn(mark.name, language, FALLBACK_LANGUAGE);
  return { name: text, lang, color: mark.color };
}
