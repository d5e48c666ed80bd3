import t from 'tap';
import { kit, type Render } from '../support/kit.ts';

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
    t.notMatch(await html('progress/progress.tsx', 'Progress', { label: 'Upload', value: null }), 'valuenow');
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
    t.match(table, '<caption class="unseen">Plugins</caption>');
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
