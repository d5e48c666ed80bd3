import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PAGES = [...globSync('*.md', { cwd: ROOT }), ...globSync('docs/*.md', { cwd: ROOT })];

const read = (page: string): string => readFileSync(join(ROOT, page), 'utf8');
const withoutCode = (text: string): string =>
  text.replaceAll(/^```[\s\S]*?^```/gm, '').replaceAll(/`[^`\n]*`/g, '');

/** Anchors of the headings of a page on GitHub. */
function anchors(page: string): string[] {
  const headings = read(page)
    .replaceAll(/^```[\s\S]*?^```/gm, '')
    .matchAll(/^#+ (.+)$/gm);
  return [...headings].map(([, title = '']) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

t.test('links of the documentation have existing targets', async (t) => {
  const links = PAGES.flatMap((page) =>
    [...withoutCode(read(page)).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g)].map(([, to = '']) => ({
      page,
      to,
    })),
  );
  t.ok(links.length > 30, 'links are found');
  const broken = links.filter(({ page, to }) => {
    const [file = '', anchor] = to.split('#');
    const target = file === '' ? page : join(dirname(page), file);
    if (!existsSync(join(ROOT, target))) return true;
    return anchor !== undefined && !anchors(target).includes(anchor);
  });
  t.strictSame(broken, []);
});

t.test('the README links to every page of docs/', async (t) => {
  const linked = [...read('README.md').matchAll(/\]\((docs\/[a-z-]+\.md)\)/g)].map(([, page]) => page);
  t.strictSame(
    globSync('docs/*.md', { cwd: ROOT }).filter((page) => !linked.includes(page)),
    [],
  );
});

t.test('README or CONTRIBUTING.md document the commands of package.json', async (t) => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
  const text = read('README.md') + read('CONTRIBUTING.md');
  const missing = Object.keys(scripts).filter(
    (name) => !new RegExp(`npm (?:run )?${name}(?![\\w:])`).test(text),
  );
  const INTERNAL = ['prepare', 'build', 'check:staged', 'precheck:bench', 'prebench'];
  t.strictSame(missing, INTERNAL, 'other commands run these');
});
