/** The look of the page: the product's colours, light and dark, without a request of its own. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --bg: light-dark(#fff, #0f1211);
  --sunken: light-dark(#f5f7f6, #161a18);
  --line: light-dark(#e4e8e6, #29302d);
  --text: light-dark(#121715, #f0f4f2);
  --text-2: light-dark(#4b5551, #b3bdb8);
  --accent: light-dark(#08734f, #45d19b);
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body {
  margin: 0 auto; padding: 2rem clamp(1rem, 4vw, 2.5rem) 4rem; max-width: 64rem;
  background: var(--bg); color: var(--text); font: 1rem/1.5 system-ui, sans-serif;
}
h1 { font-size: 1.75rem; line-height: 1.25; letter-spacing: -0.022em; margin: 0 0 0.5rem; }
h2 { font-size: 1.125rem; margin: 2.5rem 0 0.5rem; }
p { color: var(--text-2); margin: 0.5rem 0; max-width: 70ch; }
a { color: var(--accent); }
nav ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 0.25rem 1rem; }
nav a { display: inline-block; min-height: 1.75rem; }
details { border: 1px solid var(--line); border-radius: 0.625rem; margin: 0.5rem 0; }
summary { cursor: pointer; padding: 0.75rem 1rem; overflow-wrap: anywhere; }
summary:focus-visible, a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 0.25rem; }
summary b { display: inline-block; min-width: 4.5ch; color: var(--accent); font: 600 0.875rem/1.5 ui-monospace, monospace; }
summary code { font-size: 0.9375rem; }
summary span { display: block; color: var(--text-2); font-size: 0.875rem; }
dl { margin: 0; padding: 0 1rem 1rem; }
dt { color: var(--text-2); font-size: 0.8125rem; margin-top: 0.75rem; }
dd { margin: 0; }
pre { margin: 0.25rem 0 0; padding: 0.75rem; overflow-x: auto; background: var(--sunken); border-radius: 0.375rem; font: 0.8125rem/1.5 ui-monospace, monospace; }
`;
