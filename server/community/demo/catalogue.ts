import { readFileSync } from 'node:fs';
import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import {
  ActivityFile,
  BannerFile,
  type DemoActivity,
  type DemoBanner,
  type DemoHelp,
  type DemoMark,
  type DemoPlugin,
  type DemoPublisher,
  type DemoTag,
  type DemoWork,
  FeaturedFile,
  HelpFile,
  MarkFile,
  PluginFile,
  PublisherFile,
  TagFile,
} from './catalogue-schema.ts';

export interface Catalogue {
  tags: DemoTag[];
  marks: DemoMark[];
  publishers: DemoPublisher[];
  plugins: DemoPlugin[];
  banners: DemoBanner[];
  featured: DemoWork[];
  activity: DemoActivity;
  help: DemoHelp;
}

/** Reads one file of the catalogue folder; throws with its name and the first flaw if it breaks the schema. */
export function loadFile<Schema extends TSchema>(name: string, schema: Schema): Static<Schema> {
  const content: unknown = JSON.parse(
    readFileSync(new URL(`./catalogue/${name}.json`, import.meta.url), 'utf8'),
  );
  if (Value.Check(schema, content)) return content;
  const [flaw] = Value.Errors(schema, content);
  throw new Error(`catalogue/${name}.json: ${flaw?.instancePath ?? ''} ${flaw?.message ?? 'invalid'}`);
}

/** The tags of the demo, which every catalogue begins with. */
export function loadTags(): DemoTag[] {
  return loadFile('tags', TagFile);
}

/** The marks of the demo, which every catalogue begins with. */
export function loadMarks(): DemoMark[] {
  return loadFile('marks', MarkFile);
}

/**
 * The demo catalogue as written in the JSON files beside this one, plugins in the order of their tags.
 * @throws Error when a file breaks the schema or a plugin names an unknown publisher
 */
export function loadCatalogue(): Catalogue {
  const tags = loadTags();
  const publishers = loadFile('publishers', PublisherFile);
  const byId = new Map(publishers.map((publisher) => [publisher.user_id, publisher]));
  const plugins = tags
    .flatMap((tag) => loadFile(`plugins-${tag.code}`, PluginFile))
    .map((plugin): DemoPlugin => {
      const publisher = byId.get(plugin.publisher);
      if (!publisher)
        throw new Error(`catalogue: plugin ${plugin.slug} has no publisher ${plugin.publisher}`);
      return { ...plugin, publisher };
    });
  return {
    tags,
    marks: loadMarks(),
    publishers,
    plugins,
    banners: loadFile('banners', BannerFile),
    featured: loadFile('featured', FeaturedFile),
    activity: loadFile('activity', ActivityFile),
    help: loadFile('help', HelpFile),
  };
}
