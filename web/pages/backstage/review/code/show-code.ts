import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import { lineDifference } from '../difference/line-difference.ts';
import { codeTheme } from './code-theme.ts';

/** What is shown, and how. */
export type Shown = {
  file: CodeFile;
  layout: 'unified' | 'split';
  isHeavy: boolean;
  label: string;
  /** Says how many lines are folded away; "$" stands for the number. */
  unchangedLines: string;
};

const LANGUAGES: Readonly<Record<string, () => Extension>> = {
  js: () => javascript(),
  mjs: () => javascript(),
  ts: () => javascript({ typescript: true }),
  html: () => html(),
  htm: () => html(),
  svg: () => html(),
  json: () => json(),
};

const FOLDED = { margin: 3, minSize: 6 };
const DIFFERENCE = { override: lineDifference };

/** Shows a file in a shadow root, and answers how to take it away again. */
export function showCode(root: ShadowRoot, shown: Shown): () => void {
  const { file, layout } = shown;
  if (file.change === 'changed' && layout === 'split') return showSplit(root, shown);
  const extensions = [extensionsOf(shown)];
  if (file.change === 'changed') {
    extensions.push(
      unifiedMergeView({
        original: file.before ?? '',
        mergeControls: false,
        collapseUnchanged: FOLDED,
        diffConfig: DIFFERENCE,
        syntaxHighlightDeletions: !shown.isHeavy,
      }),
    );
  }
  const view = new EditorView({ doc: file.after ?? file.before ?? '', extensions, parent: root, root });
  return () => view.destroy();
}

function showSplit(root: ShadowRoot, shown: Shown): () => void {
  const { before, after } = shown.file;
  const extensions = extensionsOf(shown);
  const view = new MergeView({
    a: { doc: before ?? '', extensions },
    b: { doc: after ?? '', extensions },
    parent: root,
    root,
    collapseUnchanged: FOLDED,
    diffConfig: DIFFERENCE,
  });
  return () => view.destroy();
}

function extensionsOf({ file, isHeavy, label, unchangedLines }: Shown): Extension[] {
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const language = isHeavy ? undefined : LANGUAGES[ending]?.();
  return [
    lineNumbers(),
    highlightSpecialChars(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.phrases.of({ '$ unchanged lines': unchangedLines }),
    codeTheme,
    ...(isHeavy ? [] : [EditorView.lineWrapping]),
    ...(language ? [language] : []),
  ];
}
