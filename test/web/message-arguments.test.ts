import t from 'tap';
import { createTranslator } from 'use-intl/core';
import messages from '../../locales/en-US.json' with { type: 'json' };
import '../../web/messages.ts';

t.test('a message with missing arguments is a type error and a formatting error', async (t) => {
  const errors: string[] = [];
  const translate = createTranslator({
    locale: 'en-US',
    messages,
    namespace: 'review',
    onError: ({ code }) => errors.push(code),
  });
  // @ts-expect-error The count is missing.
  translate('waiting');
  // @ts-expect-error There is no such argument.
  translate('waiting', { number: 2 });
  t.ok(errors.every((code) => code === 'FORMATTING_ERROR') && errors.length > 0);
  t.equal(translate('waiting', { count: 2 }), '2 waiting for review');
});
