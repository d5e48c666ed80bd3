import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

/** The site's tokens reach into the shadow root, so that light and dark follow the page. */
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
    background: 'var(--accent-soft)',
  },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { background: 'var(--danger-soft)' },
  '&.cm-merge-a .cm-changedText, .cm-deletedChunk .cm-deletedText, & .cm-deletedText': {
    background: 'color-mix(in srgb, var(--danger) 24%, transparent)',
  },
  '&.cm-merge-b .cm-changedText': { background: 'color-mix(in srgb, var(--accent) 24%, transparent)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--accent)' },
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

/** The look of code under review. */
export const codeTheme: Extension = [look, syntaxHighlighting(colours)];
