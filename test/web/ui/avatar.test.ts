import t from 'tap';
import { avatarLetter } from '../../../web/ui/avatar/avatar-letter.ts';
import { kit } from '../support/kit.ts';

const LETTERS: readonly [name: string, letter: string, why: string][] = [
  ['mei', 'M', 'Latin is upper case'],
  ['Mei', 'M', 'and stays so'],
  ['émile', 'É', 'with its accent'],
  ['e\u0301mile', 'E\u0301', 'also when the accent is a mark of its own'],
  ['ｍｅｉ', 'Ｍ', 'full width is Latin too'],
  ['ßtefan', 'S', 'a letter whose upper case is two gives the first'],
  ['мария', 'м', 'other scripts stay as they are'],
  ['ёлка', 'ё', 'with their marks'],
  ['林美', '林', 'Chinese'],
  ['がくと', 'が', 'Japanese'],
  ['か\u3099くと', 'か\u3099', 'a sound mark of its own belongs to its sign'],
  ['김민준', '김', 'Korean'],
  ['\u1100\u1175\u11b7', '\u1100\u1175\u11b7', 'a syllable written in parts is one letter'],
  ['👩‍🚀 Ada', '👩‍🚀', 'an emoji of several characters is one'],
  ['🇪🇸 Lola', '🇪🇸', 'and so is a flag'],
  ['  ada', 'A', 'blanks before the name do not count'],
  ['\u200b\u202eada', 'A', 'nor do signs that nobody sees'],
  ['7 of 9', '7', 'a digit'],
  ['<b>', '<', 'text stays text'],
];

t.test('the letter of an avatar is the first of the name', async (t) => {
  for (const [name, letter, why] of LETTERS) t.equal(avatarLetter(name), letter, why);
});

t.test('a name without visible characters has no letter', async (t) => {
  for (const name of ['', '   ', '\u200b', '\u0301', '\n\t']) t.equal(avatarLetter(name), undefined);
});

t.test('an avatar is a picture, a letter on one of five gradients, or a silhouette', async (t) => {
  const render = await kit(t);
  const avatar = (userId: number | undefined, nickName: string, avatarUrl = '') =>
    render('avatar/avatar.tsx', 'Avatar', { userId, nickName, avatarUrl, size: 30 });

  const picture = await avatar(7, 'Mei', '/me.webp');
  t.match(picture, /<img [^>]*src="\/me\.webp"[^>]*alt=""[^>]*width="30" height="30"/);
  t.match(await avatar(undefined, '', '/me.webp'), '<img ', 'a picture needs neither account nor name');

  for (const id of [0, 1, 2, 3, 4, 5, 9_000_000_000_003]) {
    t.match(await avatar(id, 'mei'), new RegExp(`class="avatar s30 g${id % 5}"[^>]*>M<`), `account ${id}`);
  }
  for (const silhouette of [await avatar(undefined, 'Mei'), await avatar(7, ''), await avatar(7, ' ')]) {
    t.match(silhouette, /class="avatar s30 nobody".*<svg/);
    t.notMatch(silhouette, 'M<');
  }
  t.match(await avatar(7, '<b>'), '&lt;<', 'a name is escaped');
});
