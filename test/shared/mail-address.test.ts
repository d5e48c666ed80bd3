import t from 'tap';
import { isMailAddress } from '../../shared/mail-address.ts';

const OF_63 = 'a'.repeat(63);

t.test('addresses are dot-strings at host names', async (t) => {
  for (const address of [
    'anna@example.org',
    'Anna.K+square@Mail.Example.org',
    "o'neil/a=b{c}|d~e^f`g!h#i$j%k&l*m?n_o-p@x.test",
    '1@2.test',
    'жанна@почта.рф',
    '图@例子.测试',
    'josé@exámple.test',
    `${'a'.repeat(64)}@${OF_63}.${OF_63}.test`,
    'a@a-b--c.test',
  ])
    t.equal(isMailAddress(address), true, address);
});

t.test('nothing else is one, so that a mailbox has one address', async (t) => {
  for (const address of [
    '',
    '@',
    'anna',
    'anna@',
    'anna@corp',
    'admin@localhost',
    '@x.test',
    'dup@x.test.',
    'dup@x.test>',
    '<dup@x.test',
    '<dup@x.test>',
    'Dup <dup@x.test>',
    'dup@.x.test',
    'dup@x..test',
    '.dup@x.test',
    'dup.@x.test',
    'd..up@x.test',
    'dup@x@x.test',
    '"dup"@x.test',
    'dup(a)@x.test',
    'dup,other@x.test',
    'dup;other@x.test',
    'dup:other@x.test',
    'dup\\@x.test',
    'dup @x.test',
    'dup@x .test',
    'dup\t@x.test',
    'dup@x.test\n',
    'dup\u00a0@x.test',
    'dup@[192.0.2.1]',
    'dup@192.0.2.1',
    'dup@-x.test',
    'dup@x-.test',
    'dup@x_y.test',
    'dup@x.test:25',
    'dup@x.test/',
    'ｖictim@x.test',
    'victim@ｘ.test',
    'victim@x。test',
    'vi\u00adctim@x.test',
    'vi\u200bctim@x.test',
    'victim\ufe0f@x.test',
    'victim@x\u200d.test',
    'ﬁ@x.test',
    'e\u0301@x.test',
    'a@xn--bcher-kva.test',
    'a@XN--bcher-kva.test',
    'a@BÜCHER.test',
    'a@\u0301x.test',
    'dup@x.\u2800',
    '\u2066dup@x.test',
    `${'a'.repeat(65)}@x.test`,
    `${'ж'.repeat(33)}@x.test`,
    `a@${'a'.repeat(64)}.test`,
    `a@${`${OF_63}.`.repeat(4)}test`,
    `${'a'.repeat(64)}@${OF_63}.${OF_63}.${'a'.repeat(58)}.tests`,
  ])
    t.equal(isMailAddress(address), false, JSON.stringify(address));
});
