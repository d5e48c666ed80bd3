import t from 'tap';
import { textBlocks } from '../../../../web/features/plugins/detail/text-blocks.ts';

t.test('blank lines separate paragraphs; a single line break does not', async (t) => {
  t.strictSame(textBlocks('One\ntwo\n\n\nThree\r\n\r\nFour'), [
    { kind: 'paragraph', lines: ['One', 'two'] },
    { kind: 'paragraph', lines: ['Three'] },
    { kind: 'paragraph', lines: ['Four'] },
  ]);
});

t.test('common list notations are recognised', async (t) => {
  t.strictSame(textBlocks('What it does:\n- fast\n• small\n1. open\n2) run\n3、完成'), [
    { kind: 'paragraph', lines: ['What it does:'] },
    { kind: 'bullets', lines: ['fast', 'small'] },
    { kind: 'numbers', lines: ['open', 'run', '完成'] },
  ]);
});

t.test('numbers and signs inside a sentence start no list', async (t) => {
  t.strictSame(
    textBlocks('2400 icons on one grid\n-5 is a number\n1.5 times faster').map(({ kind }) => kind),
    ['paragraph'],
  );
});

t.test('markup stays text', async (t) => {
  t.strictSame(textBlocks('<b>bold</b>'), [{ kind: 'paragraph', lines: ['<b>bold</b>'] }]);
});

t.test('an empty text has no blocks', async (t) => {
  t.strictSame(textBlocks(''), []);
  t.strictSame(textBlocks(' \n\n '), []);
});
