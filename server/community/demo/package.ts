import type { Texts } from '../../../shared/languages.ts';
import type { DemoPlugin, DemoVersion } from './catalogue-schema.ts';
import { PANEL, SCRIPTS } from './package-scripts.ts';

/** A plugin package (design section 7) as the demo catalogue makes it. */
export interface DemoPackage {
  format: 'plugin-package';
  formatVersion: 1;
  manifest: {
    id: string;
    name: string;
    api: string;
    main: string;
    ui?: string;
    editorType: ['pixso'];
    networkAccess: { allowedDomains: string[] };
  };
  files: Record<string, string>;
  listing: {
    name: Texts;
    intro: Texts;
    description: Texts;
    tags: string[];
    contact: string;
    support: string;
    copyright: string;
    version: string;
    versionNote: Texts;
  };
}

/** What a text says in the plugin's own language, else in the first language it has. */
function ownText(texts: Texts, plugin: DemoPlugin): string {
  return texts[plugin.default_language] ?? Object.values(texts)[0] ?? '';
}

/**
 * The code file of one version of a demo plugin: a manifest, a program that runs in the editor, its panel where
 * it shows one, and the listing. Every version's file differs, as a version's content must.
 * @param script the program; that of the plugin's first tag when none is given
 * @throws Error when no program belongs to the plugin's first tag
 */
export function demoPackage(
  plugin: DemoPlugin,
  version: Pick<DemoVersion, 'version' | 'note'>,
  script = SCRIPTS[plugin.tags[0] ?? ''],
): DemoPackage {
  if (script === undefined) throw new Error(`No program for plugin ${plugin.slug}`);
  const name = ownText(plugin.name, plugin);
  const ui = script.includes('showUI') ? { ui: 'ui.html' } : {};
  return {
    format: 'plugin-package',
    formatVersion: 1,
    manifest: {
      id: plugin.slug,
      name,
      api: '1.0.0',
      main: 'main.js',
      ...ui,
      editorType: ['pixso'],
      networkAccess: { allowedDomains: plugin.domains.length > 0 ? plugin.domains : ['none'] },
    },
    files: {
      'main.js': `// ${name} ${version.version}\n${script}`,
      ...('ui' in ui ? { 'ui.html': PANEL } : {}),
    },
    listing: {
      name: plugin.name,
      intro: plugin.intro,
      description: plugin.description,
      tags: plugin.tags,
      contact: plugin.contact,
      support: typeof plugin.support === 'string' ? plugin.support : ownText(plugin.support, plugin),
      copyright: plugin.copyright === 'author' ? 'author' : plugin.copyright.custom,
      version: version.version,
      versionNote: version.note,
    },
  };
}

/** The code file as it is stored and downloaded: indented, so that people can read it. */
export function packageBytes(made: DemoPackage): Uint8Array {
  return Buffer.from(`${JSON.stringify(made, null, 2)}\n`);
}
