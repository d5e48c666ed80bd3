import { html } from '@codemirror/lang-html';
import { javascript } from '@codemirror/lang-javascript';
import { json } from '@codemirror/lang-json';
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { MergeView, unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import { Decoration, EditorView, highlightSpecialChars, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { useEffect, useRef } from 'react';
import { useTranslations } from 'use-intl';
import type { CodeFile } from '../../../../../shared/entities/backstage.ts';
import { lineDifference } from '../differences.ts';
import styles from './code.module.css';

export type Layout = 'unified' | 'split';

type Props = {
  file: CodeFile;
  layout: Layout;
  isLargeFile: boolean;
  /** Target line, from 1, that is scrolled to and focused. */
  line: number | undefined;
};

/**
 * A file or its diff. The editor is in a shadow root: there it uses constructed style sheets, which need no exception
 * in the content security policy.
 */
export function CodeView({ file, layout, isLargeFile, line }: Props) {
  const t = useTranslations('review');
  const host = useRef<HTMLDivElement>(null);
  const hasScrolled = useRef(false);
  useEffect(() => {
    if (!host.current) return;
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' });
    const end = showCode(root, {
      file,
      layout,
      isLargeFile,
      label: line === undefined ? file.name : t('code_at', { file: file.name, line }),
      labelBefore: t('code_before', { file: file.name }),
      line,
      // After a layout change focus stays on the control.
      takesFocus: !hasScrolled.current,
      unchangedLines: t('unchanged_lines'),
    });
    hasScrolled.current = true;
    return end;
  }, [file, layout, isLargeFile, line, t]);
  return <div ref={host} className={styles.code} />;
}

/** Content and options of the view. */
type Shown = {
  file: CodeFile;
  layout: 'unified' | 'split';
  isLargeFile: boolean;
  label: string;
  /** Accessible name of the other side. */
  labelBefore: string;
  /** Target line, from 1. */
  line: number | undefined;
  /** Also focuses it. */
  takesFocus: boolean;
  /** Label of collapsed lines; "$" is replaced by their number. */
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

/** Renders a file in a shadow root and returns a function that removes it. */
function showCode(root: ShadowRoot, shown: Shown): () => void {
  const { file, layout } = shown;
  if (file.change === 'changed' && layout === 'split') return showSplit(root, shown);
  const extensions = [extensionsOf(shown), markOf(shown)];
  if (file.change === 'changed') {
    extensions.push(
      unifiedMergeView({
        original: file.before ?? '',
        mergeControls: false,
        ...foldsOf(shown),
        diffConfig: DIFFERENCE,
        syntaxHighlightDeletions: !shown.isLargeFile,
      }),
    );
  }
  const view = new EditorView({ doc: file.after ?? file.before ?? '', extensions, parent: root, root });
  goTo(view, shown);
  return () => view.destroy();
}

function showSplit(root: ShadowRoot, shown: Shown): () => void {
  const { before, after } = shown.file;
  const view = new MergeView({
    a: { doc: before ?? '', extensions: extensionsOf({ ...shown, label: shown.labelBefore }) },
    b: { doc: after ?? '', extensions: [extensionsOf(shown), markOf(shown)] },
    parent: root,
    root,
    ...foldsOf(shown),
    diffConfig: DIFFERENCE,
  });
  goTo(view.b, shown);
  return () => view.destroy();
}

/** The target line must not be collapsed. */
function foldsOf({ line }: Shown) {
  return line === undefined ? { collapseUnchanged: FOLDED } : {};
}

/** Marks the target line, or the last one of a truncated file. */
function markOf({ line }: Shown): Extension {
  if (line === undefined) return [];
  return EditorView.decorations.compute(['doc'], ({ doc }) =>
    Decoration.set(Decoration.line({ class: 'cm-sought' }).range(startOf(doc, line))),
  );
}

function startOf(doc: Text, line: number): number {
  return doc.line(Math.min(Math.max(line, 1), doc.lines)).from;
}

function goTo(view: EditorView, { line, takesFocus }: Shown): void {
  if (line === undefined) return;
  const anchor = startOf(view.state.doc, line);
  view.dom.scrollIntoView({ block: 'center' });
  view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
  if (takesFocus) view.focus();
}

function extensionsOf({ file, isLargeFile, label, unchangedLines }: Shown): Extension[] {
  const ending = /\.(\w+)$/.exec(file.name)?.[1]?.toLowerCase() ?? '';
  const language = isLargeFile ? undefined : LANGUAGES[ending]?.();
  return [
    lineNumbers(),
    highlightSpecialChars(),
    EditorState.readOnly.of(true),
    EditorView.editable.of(false),
    EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' }),
    EditorState.phrases.of({ '$ unchanged lines': unchangedLines }),
    codeTheme,
    ...(isLargeFile ? [] : [EditorView.lineWrapping]),
    ...(language ? [language] : []),
  ];
}

/** CSS variables of the site reach the shadow root, so that light and dark follow the page. */
const look = EditorView.theme({
  '&': {
    maxHeight: '70vh',
    border: '1px solid var(--line)',
    borderRadius: 'var(--radius-m)',
    background: 'var(--bg)',
    color: 'var(--text)',
    fontSize: 'var(--size-s)',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: 'var(--focus)' },
  '.cm-scroller': { overflow: 'auto', fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': {
    border: '0',
    background: 'var(--sunken)',
    color: 'var(--text-3)',
  },
  '.cm-sought': { background: 'var(--warning-soft)', boxShadow: 'inset 3px 0 0 var(--warning)' },
  '.cm-specialChar': { color: 'var(--danger)' },
  '.cm-collapsedLines': {
    padding: '4px 12px',
    background: 'var(--sunken)',
    color: 'var(--text-2)',
    fontFamily: 'var(--latin), sans-serif',
  },
  '.cm-collapsedLines:before, .cm-collapsedLines:after': { color: 'var(--text-3)' },
  '&.cm-merge-b .cm-changedLine, .cm-inlineChangedLine, .cm-insertedLine': {
    background: 'var(--success-soft)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { background: 'var(--danger-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, & .cm-deletedText': {
    background: 'color-mix(in srgb, var(--danger) 24%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--success) 24%, transparent)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--success)' },
  '&.cm-merge-a .cm-changedLineGutter, .cm-deletedLineGutter': { background: 'var(--danger)' },
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.modifier, tags.operatorKeyword], color: 'light-dark(#8a2a9b, #d79be8)' },
  { tag: [tags.string, tags.regexp, tags.attributeValue], color: 'light-dark(#0a6b4a, #7fd6ae)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#9a4a00, #f0b37a)' },
  { tag: [tags.comment, tags.meta], color: 'var(--text-3)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.attributeName], color: 'light-dark(#1b4f9c, #92bdf5)' },
  { tag: [tags.tagName, tags.typeName, tags.className], color: 'light-dark(#8c1d40, #f29ab4)' },
]);

const codeTheme: Extension = [look, syntaxHighlighting(colours)];
