import { readFileSync } from 'node:fs';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { Language } from '../../shared/languages.ts';

const Group = Type.Record(Type.String(), Type.String());
const Texts = Type.Object({
  removed: Group,
  home: Group,
  plugin: Group,
  site: Type.Object({ name: Type.String() }),
  error: Type.Object({
    too_many: Type.String(),
    reload: Type.String(),
    not_found_title: Type.String(),
    not_found_text: Type.String(),
    back_home: Type.String(),
  }),
});
const compiled = Compile(Texts);

/** What the gateway itself tells people: the texts of feeds and of error pages. */
export type GatewayTexts = Static<typeof Texts>;

const packs = new Map<Language, GatewayTexts>();

/** The texts in a language, from its language pack, which a process reads once. */
export function gatewayTexts(language: Language): GatewayTexts {
  const known = packs.get(language);
  if (known !== undefined) return known;
  const file = new URL(`../../locales/${language}.json`, import.meta.url);
  const texts = compiled.Parse(JSON.parse(readFileSync(file, 'utf8')));
  packs.set(language, texts);
  return texts;
}
