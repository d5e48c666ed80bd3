import t from 'tap';
import { createTranslator } from 'use-intl/core';
import messages from '../../locales/en-US.json' with { type: 'json' };
import '../../web/messages.ts';

t.test('a message with missing arguments is a type error and a formatting error', async (t) => {
  const told: string[] = [];
  const say = createTranslator({
    locale: 'en-US',
    messages,
    namespace: 'review',
    onError: ({ code }) => told.push(code),
  });
  // @ts-expect-error The count is missing.
  say('waiting');
  // @ts-expect-error There is no such argument.
  say('waiting', { number: 2 });
  t.ok(told.every((code) => code === 'FORMATTING_ERROR') && told.length > 0);
  t.equal(say('waiting', { count: 2 }), '2 waiting for review');
});
