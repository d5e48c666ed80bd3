import t from 'tap';
import { excerpt } from '../../../../web/features/plugins/excerpt.ts';

t.test('an intro longer than two lines is cut between words', (t) => {
  const cases = [
    ['Short enough.', 'Short enough.'],
    [
      'Draws charts from a table, keeps them linked, and redraws every frame when a number changes there.',
      'Draws charts from a table, keeps them linked, and redraws every frame when a…',
    ],
    ['a'.repeat(84), `${'a'.repeat(80)}…`],
    [
      'Повторяет ритм макета на любом экране, выравнивает сетку, отступы и подписи',
      'Повторяет ритм макета на любом экране, выравнивает сетку, отступы и…',
    ],
    [
      '两千四百枚同一骨架的线性与面性图标，搜一个词，拖进画布就能用，随时替换，永远对齐，不会变重。',
      '两千四百枚同一骨架的线性与面性图标，搜一个词，拖进画布就能用，随时替换，永远…',
    ],
  ] as const;
  for (const [text, expected] of cases) t.equal(excerpt(text), expected);
  t.end();
});
