import sharp from 'sharp';
import t from 'tap';
import { type Card, drawCard } from '../../../server/community/share/drawing/card.ts';
import { BOLD, openFonts } from '../../../server/community/share/drawing/fonts.ts';
import { layOut } from '../../../server/community/share/drawing/lines.ts';
import { drawableText, outlineOf, widthOf } from '../../../server/community/share/drawing/runs.ts';
import { LANGUAGES, type Language } from '../../../shared/languages.ts';

const fonts = openFonts();
const room = { width: 476, lines: 3, sizes: [58, 50, 44] };
const lay = (text: string, language: Language = 'en-US') =>
  layOut(text, { language, fontOf: fonts(language, BOLD), room });

/** Names as publishers write them, one in each language's script. */
const NAMES: Readonly<Record<Language, string>> = {
  'zh-CN': '色彩灵感助手：一键生成和谐配色方案',
  'en-US': 'Contrast & Colour “Checker” — for files',
  'ja-JP': 'アイコンをまとめて書き出すプラグイン「直骨角」',
  'ko-KR': '접근성 대비 검사기와 색상 조합 추천',
  'ru-RU': 'Проверка доступности и контраста',
  'es-ES': '¿Cómodo? Generador de paletas ñandú',
};

t.test('every language’s letters have a font, on a machine without any', async (t) => {
  for (const language of LANGUAGES) {
    const fontOf = fonts(language, BOLD);
    t.equal(await drawableText(NAMES[language], fontOf), NAMES[language], language);
    const outline = await outlineOf(NAMES[language], { x: 0, y: 60, size: 58 }, fontOf);
    t.match(outline, /^M/, language);
    t.notMatch(outline, /NaN|undefined|Infinity/, language);
    const width = await widthOf(NAMES[language], 58, fontOf);
    t.ok(width > 58 && width < NAMES[language].length * 60, `${language} is as wide as letters are`);
  }
});

t.test('the same character is drawn as its language has it', async (t) => {
  const drawn = (language: Language) => outlineOf('直', { x: 0, y: 0, size: 50 }, fonts(language, BOLD));
  t.not(await drawn('zh-CN'), await drawn('ja-JP'));
  t.equal(await drawn('ja-JP'), await drawn('ja-JP'), 'a second time as the first');
});

t.test('lines end between words and in the room there is', async (t) => {
  for (const language of LANGUAGES) {
    const { lines, size } = await lay(NAMES[language], language);
    t.ok(lines.length > 0 && lines.length <= 3, language);
    for (const line of lines) t.ok((await widthOf(line, size, fonts(language, BOLD))) <= room.width, line);
    t.equal(lines.join('').replaceAll(' ', ''), NAMES[language].replaceAll(' ', ''), 'nothing is lost');
  }
  t.strictSame((await lay(NAMES['ru-RU'], 'ru-RU')).lines, ['Проверка', 'доступности и', 'контраста']);
  const { lines } = await lay('配色方案，配色方案。配色方案！配色方案、配色', 'zh-CN');
  t.notOk(
    lines.some((line) => /^[，。！、]/.test(line)),
    'no line begins with a comma',
  );
  const spanish = (await lay('Generador de paletas ¿cómodo?', 'es-ES')).lines;
  t.notOk(
    spanish.some((line) => /¿$/.test(line)),
    'no line ends with what opens',
  );
});

t.test('a name that is too long is cut between characters, with an ellipsis', async (t) => {
  const latin = await lay('W'.repeat(64));
  t.equal(latin.size, 44);
  t.equal(latin.lines.length, 3);
  t.match(latin.lines.at(-1), /^W+\.\.\.$/);
  t.match((await lay('很长的名字'.repeat(12), 'zh-CN')).lines.at(-1), /…$/);
});

t.test('what no font has is left out', async (t) => {
  const lines = async (text: string) => (await lay(text)).lines.join('|');
  t.equal(await lines('🎨 Colour 👨‍👩‍👧 tools 1️⃣'), 'Colour tools 1');
  t.equal(await lines('🎨🎨'), '');
  t.equal(await lines('a\u202e\u200b\u0000\nb'), 'a b', 'nor what changes the order, nor control characters');
  t.equal(await lines('\ud800'), '');
  t.equal(await lines('مرحبا Plugin'), 'Plugin');
  t.equal(await lines('<b>"&\'</b>'), '<b>"&\'</b>', 'marks are letters like any others');
});

t.test('a card is a picture of 1200 by 630 pixels, whatever it shows', async (t) => {
  const picture = new Uint8Array(
    await sharp({ create: { width: 640, height: 360, channels: 3, background: '#c33' } })
      .webp()
      .toBuffer(),
  );
  const card: Card = {
    language: 'en-US',
    name: 'Grid',
    publisher: 'Ada',
    siteName: 'Square',
    cover: picture,
    icon: picture,
  };
  const cases: [string, Partial<Card>][] = [
    ['everything', {}],
    ['no cover', { cover: null }],
    ['no icon', { icon: null }],
    ['nothing to draw', { name: '🎨', publisher: '', cover: null, icon: null }],
    ['the longest', { name: 'W'.repeat(64), publisher: 'M'.repeat(200) }],
  ];
  for (const [title, change] of cases) {
    const { format, width, height } = await sharp(await drawCard({ ...card, ...change }, fonts)).metadata();
    t.match({ format, width, height }, { format: 'jpeg', width: 1200, height: 630 }, title);
  }
  const raw = await sharp(await drawCard(card, fonts))
    .extract({ left: 800, top: 300, width: 1, height: 1 })
    .raw()
    .toBuffer();
  t.ok((raw[0] ?? 0) > 180 && (raw[1] ?? 255) < 80, 'the cover is where covers are');
  const pale = await sharp(await drawCard({ ...card, cover: null }, fonts))
    .extract({ left: 800, top: 300, width: 1, height: 1 })
    .raw()
    .toBuffer();
  t.ok((pale[1] ?? 0) > 220, 'and nowhere without one');
});
