import t from 'tap';
import { leanCss } from '../../../web/build/lean-css.ts';

const isLater = (name: string): boolean => name.startsWith('later');

t.test('what only later states show is left out', async (t) => {
  for (const [css, lean] of [
    ['.a{x:1}.later{x:2}.b{x:3}', '.a{x:1}.b{x:3}'],
    ['.a .later:hover{x:1}', ''],
    ['.a,.later{x:1}', '.a,.later{x:1}'],
    ['.later1,.later2{x:1}', ''],
    [':is(.later,.b) .a{x:1}', ''],
    ['.a:is(.x,.y),.later{x:1}', '.a:is(.x,.y),.later{x:1}'],
    ['@media (width<=640px){.a{x:1}.later{x:2}}', '@media (width<=640px){.a{x:1}}'],
    ['@media print{.later{x:2}}.a{x:1}', '.a{x:1}'],
    ['@supports (a:b){@media print{.later{x:2}}}', ''],
    ['@keyframes laterIn{0%{x:1}to{x:2}}@keyframes on{to{x:1}}', '@keyframes on{to{x:1}}'],
    ['html{x:1}:root:lang(zh),[lang|=zh]{x:2}', 'html{x:1}:root:lang(zh),[lang|=zh]{x:2}'],
  ] as const)
    t.equal(leanCss(css, isLater), lean, css);
});
