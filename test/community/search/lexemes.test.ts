import t from 'tap';
import { foldName, lexemesOfText, termsOfKeyword } from '../../../server/community/search/lexemes.ts';

const texts: [text: string, lexemes: string[]][] = [
  ['Color Picker', ['color', 'picker']],
  ['ＣＯＬＯＲ', ['color']],
  ['配色', ['配', '色', '配色']],
  ['配色表', ['配', '色', '表', '配色', '色表']],
  ['ﾀｲﾎﾟ', ['タ', 'イ', 'ポ', 'タイ', 'イポ']],
  ['がく', ['が', 'く', 'がく']],
  ['한국어', ['한', '국', '어', '한국', '국어']],
  ['UI设计', ['ui', '设', '计', '设计']],
  ['Ёлка', ['елка']],
  ['йод', ['йод']],
  ['Ñandú São', ['nandu', 'sao']],
  ['e-mail, C++', ['e', 'mail', 'c']],
  ['3D 2.0', ['3d', '2', '0']],
  ['!?… —', []],
  ['', []],
];

for (const [text, lexemes] of texts) {
  t.test(`lexemes of "${text}"`, async (t) => {
    t.strictSame([...lexemesOfText(text)], lexemes);
  });
}

t.test('a keyword matches words by prefix, unspaced scripts by pairs', async (t) => {
  t.strictSame(termsOfKeyword('col 配色表 色'), [
    { lexeme: 'col', isPrefix: true },
    { lexeme: '配色', isPrefix: false },
    { lexeme: '色表', isPrefix: false },
    { lexeme: '色', isPrefix: false },
  ]);
});

t.test('a repeated word is one term', async (t) => {
  t.equal(termsOfKeyword('icon icon ICON').length, 1);
});

t.test('every beginning of a word of a text matches that text', async (t) => {
  for (const text of ['UI设计 Color配色パレット 한국어 Ёлка 2x']) {
    const own = [...lexemesOfText(text)];
    for (const word of text.split(' ')) {
      const characters = [...word];
      for (let end = 1; end <= characters.length; end += 1) {
        const keyword = characters.slice(0, end).join('');
        for (const { lexeme, isPrefix } of termsOfKeyword(keyword)) {
          t.ok(
            own.some((found) => (isPrefix ? found.startsWith(lexeme) : found === lexeme)),
            `${keyword}: ${lexeme}`,
          );
        }
      }
    }
  }
});

t.test('names are compared without regard to case, width and spaces', async (t) => {
  t.equal(foldName('  Ｃｏｌｏｒ\tPícker '), 'color picker');
});
