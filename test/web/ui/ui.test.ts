import t from 'tap';
import { avatarLetter } from '../../../web/ui/avatar/avatar-letter.ts';
import { showProblems } from '../../../web/ui/form-problems.ts';
import { stepped, typedNumber } from '../../../web/ui/number-input/number-value.ts';
import { sliderProblem, validScale } from '../../../web/ui/slider/slider-problem.ts';
import { roomiestSide } from '../../../web/ui/tooltip/tooltip-side.ts';
import { kit, type Render } from '../support/kit.ts';

t.test('components', async (t) => {
  const ignore = (): void => undefined;

  t.test('components of the UI kit on the server', async (t) => {
    const render = await kit(t);
    const all: string[] = [];
    const html = async (...asked: Parameters<Render>): Promise<string> => {
      const text = await render(...asked);
      all.push(text);
      return text;
    };

    t.test('a field is named by its label and described by its error, else by its hint', async (t) => {
      const area = {
        label: 'Note',
        value: '👩‍🚀é',
        onChange: ignore,
        maxLength: 5,
        hint: 'Help',
        required: true,
      };
      const fine = await html('text-area/text-area.tsx', 'TextArea', area);
      const [, id = ''] = /<textarea[^>]* id="([^"]+)"/.exec(fine) ?? [];
      t.match(fine, `for="${id}"`);
      t.match(fine, `aria-describedby="${id}-hint ${id}-note"`);
      t.match(fine.replaceAll('<!-- -->', ''), '>4/5<', 'counts code points');
      t.notMatch(fine, 'aria-invalid');
      const wrong = await html('text-area/text-area.tsx', 'TextArea', { ...area, error: 'No' });
      t.match(
        wrong,
        /aria-invalid="true"[^>]*aria-describedby="[^"]+-error [^"]+-note"|aria-describedby="[^"]+-error [^"]+-note"[^>]*aria-invalid="true"/,
      );
      t.notMatch(wrong, '>Help<');
    });

    t.test('the selected tab is announced', async (t) => {
      const text = await html('tabs/tabs.tsx', 'Tabs', {
        label: 'Languages',
        tabs: [
          { id: 'a', label: 'A', count: 3 },
          { id: 'b', label: 'B', mark: { tone: 'done', label: 'filled' } },
        ],
        value: 'b',
        onChange: ignore,
      });
      t.match(text, /role="tablist" aria-label="Languages"/);
      const [first = '', second = ''] = text.match(/<button[^>]*>/g) ?? [];
      t.match(first, 'aria-selected="false"');
      t.match(second, 'aria-selected="true"');
      t.match(text, 'filled');
    });

    t.test('progress has a value, or is indeterminate', async (t) => {
      const known = await html('progress/progress.tsx', 'Progress', {
        label: 'Upload',
        value: 0.416,
        detail: '2 of 5',
      });
      t.match(known, /aria-valuenow="42"/);
      t.match(known, /width="42%"/);
      t.match(
        await html('progress/progress.tsx', 'Progress', { label: 'Upload', value: 7 }),
        /aria-valuenow="100"/,
      );
      t.notMatch(
        await html('progress/progress.tsx', 'Progress', { label: 'Upload', value: null }),
        'valuenow',
      );
    });

    t.test('choices are native controls with one name', async (t) => {
      const radios = await html('radio-group/radio-group.tsx', 'RadioGroup', {
        label: 'Kind',
        options: [
          { value: 'new', label: 'New' },
          { value: 'fixed', label: 'Fixed', disabled: true },
        ],
        value: 'new',
        onChange: ignore,
      });
      t.equal(new Set([...radios.matchAll(/name="([^"]+)"/g)].map((match) => match[1])).size, 1);
      t.match(radios, /value="new"[^>]*>|checked=""/);
      t.match(radios, '<legend');
      const box = await html('checkbox/checkbox.tsx', 'Checkbox', {
        label: 'All',
        checked: true,
        onChange: ignore,
      });
      t.match(box, /type="checkbox"[^>]*checked=""/);
      const light = await html('switch/switch.tsx', 'Switch', {
        label: 'On',
        checked: false,
        onChange: ignore,
      });
      t.match(light, /role="switch"[^>]*aria-checked="false"/);
    });

    t.test('a select shows its value before its code is loaded', async (t) => {
      const options = [
        { value: 'a', label: 'First' },
        { value: 'b', label: 'Second' },
      ];
      const shared = { label: 'Kind', options, onChange: ignore, placeholder: 'Choose' };
      t.match(await html('select/select.tsx', 'Select', { ...shared, value: 'b' }), '>Second<');
      t.match(await html('select/select.tsx', 'Select', { ...shared, value: 'x' }), '>Choose<');
    });

    t.test('a file field is a named file input', async (t) => {
      const text = await html('file-drop/file-drop.tsx', 'FileDrop', {
        label: 'Cover',
        prompt: 'Drop it here',
        accept: 'image/png',
        onFiles: ignore,
      });
      const [, id = ''] = /<input[^>]* id="([^"]+)"/.exec(text) ?? [];
      t.match(text, `for="${id}"`);
      t.match(text, /type="file"[^>]*accept="image\/png"|accept="image\/png"[^>]*type="file"/);
    });

    t.test('a table has a caption, a page header one heading, a badge its tone', async (t) => {
      const table = await html('table/table.tsx', 'Table', {
        caption: 'Plugins',
        hideCaption: true,
        busy: true,
      });
      t.match(table, /aria-busy="true"/);
      t.match(table, '<caption class="hidden">Plugins</caption>');
      const header = await html('page-header/page-header.tsx', 'PageHeader', {
        title: 'Mine',
        lead: 'All of them',
      });
      t.equal(header.match(/<h1/g)?.length, 1);
      t.match(
        await html('badge/badge.tsx', 'Badge', { tone: 'warning', children: 'Waiting' }),
        'class="badge warning"',
      );
    });

    t.test('a number is a spin button with its range; its buttons are out of the tab order', async (t) => {
      const text = await html('number-input/number-input.tsx', 'NumberInput', {
        label: 'Place',
        hint: '1 to 5',
        value: 5,
        min: 1,
        max: 5,
        onChange: ignore,
        decreaseLabel: 'Less',
        increaseLabel: 'More',
      });
      const [field = ''] = /<input[^>]*>/.exec(text) ?? [];
      for (const fact of ['role="spinbutton"', 'inputMode="numeric"', 'aria-valuemax="5"', 'value="5"']) {
        t.match(field, fact);
      }
      const [less = '', more = ''] = text.match(/<button[^>]*>/g) ?? [];
      t.match(less, /tabindex="-1".*aria-label="Less"/i);
      t.notMatch(less, 'disabled');
      t.match(more, / disabled=""/);
    });

    t.test('a count above 99 is shown as 99+ and announced in full', async (t) => {
      const badge = { count: 128, label: '128 waiting' };
      const text = await html('badge/badge.tsx', 'CountBadge', badge);
      t.match(text, '<span aria-hidden="true">99+</span>');
      t.match(text, '128 waiting');
      t.match(await html('badge/badge.tsx', 'CountBadge', { ...badge, count: 99 }), '>99<');
    });

    t.test('no component has a style attribute, which the content security policy forbids', async (t) => {
      t.ok(all.length > 10);
      t.strictSame(
        all.filter((text) => / style="/.test(text)),
        [],
      );
    });
  });
});

t.test('a tooltip is at the side with the most room to spare', async (t) => {
  const view = { width: 1280, height: 720 };
  const tip = { width: 120, height: 30 };
  const at = (left: number, top: number) => ({ left, top, right: left + 40, bottom: top + 40 });
  t.equal(roomiestSide(at(1230, 340), tip, view), 'left', 'at the right edge');
  t.equal(roomiestSide(at(10, 340), tip, view), 'right', 'at the left edge');
  t.equal(roomiestSide(at(160, 10), { width: 900, height: 30 }, view), 'bottom', 'wide, at the top');
  t.equal(roomiestSide(at(160, 670), { width: 900, height: 30 }, view), 'top', 'wide, at the bottom');
  const phone = { width: 360, height: 740 };
  t.equal(roomiestSide(at(160, 350), { width: 300, height: 30 }, phone), 'top', 'the first of equal sides');
  t.equal(roomiestSide(at(160, 340), { width: 300, height: 30 }, phone), 'bottom');
});

t.test('avatar', async (t) => {
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
});

t.test('form problems', async (t) => {
  type Values = { email: string; password: string };

  t.test('errors are shown at their fields, and the first such field is focused', async (t) => {
    const shown: [string, unknown, unknown][] = [];
    showProblems<Values>(
      (field, error, options) => void shown.push([field, error.message, options?.shouldFocus]),
      [
        { field: 'root', text: 'Nothing was saved.' },
        { field: 'email', text: 'This address is taken.' },
        { field: 'password', text: 'This password is too short.' },
      ],
    );
    t.strictSame(shown, [
      ['root', 'Nothing was saved.', false],
      ['email', 'This address is taken.', true],
      ['password', 'This password is too short.', false],
    ]);
  });
});

t.test('number value', async (t) => {
  const RANGE = { min: 0, max: 10, step: 1 };

  t.test('a typed number is valid within its range and on its steps', async (t) => {
    for (const [text, value] of [
      ['0', 0],
      ['10', 10],
      [' 7 ', 7],
      ['+7', 7],
      ['007', 7],
      ['7.0', 7],
      ['７', 7],
    ] as const) {
      t.equal(typedNumber(text, RANGE), value, `“${text}”`);
    }
    const refused = [
      '',
      ' ',
      '-1',
      '11',
      '2.5',
      '1e1',
      '0x1',
      'NaN',
      'Infinity',
      '7 8',
      '7,0',
      '9'.repeat(400),
    ];
    for (const text of refused) t.equal(typedNumber(text, RANGE), undefined, `“${text.slice(0, 20)}”`);
  });

  t.test('steps start at the minimum and may be fractions', async (t) => {
    const odd = { min: 1, max: 9, step: 2 };
    t.equal(typedNumber('3', odd), 3);
    t.equal(typedNumber('4', odd), undefined);
    const fractions = { min: -1, max: 1, step: 0.1 };
    t.equal(typedNumber('0.3', fractions), 0.3);
    t.equal(typedNumber('-0.7', fractions), -0.7);
    t.equal(typedNumber('0.35', fractions), undefined);
  });

  t.test('a step is limited to the range', async (t) => {
    t.equal(stepped(9, 1, RANGE), 10);
    t.equal(stepped(10, 1, RANGE), 10);
    t.equal(stepped(0, -1, RANGE), 0);
    t.equal(stepped(0.1, 1, { min: 0, max: 1, step: 0.2 }), 0.3, 'without rounding errors');
  });
});

t.test('slider problem', async (t) => {
  t.test('an invalid scale is reported with a message for developers', async (t) => {
    t.equal(sliderProblem({ min: 5, max: 1, value: 3 }), 'min should not be greater than max');
    t.equal(sliderProblem({ min: 5, max: 9, value: 3 }), 'value should not be smaller than min');
    t.equal(sliderProblem({ min: 0, max: 2, value: 3 }), 'value should not be greater than max');
    for (const value of [0, 50, 100]) t.equal(sliderProblem({ min: 0, max: 100, value }), undefined);
    t.equal(sliderProblem({ min: 4, max: 4, value: 4 }), undefined);
  });

  t.test('an invalid scale is corrected', async (t) => {
    t.strictSame(validScale({ min: 5, max: 1, value: 9 }), { min: 1, max: 5, value: 5 });
    t.strictSame(validScale({ min: 5, max: 9, value: 3 }), { min: 5, max: 9, value: 5 });
    t.strictSame(validScale({ min: 0, max: 100, value: 40 }), { min: 0, max: 100, value: 40 });
  });
});
