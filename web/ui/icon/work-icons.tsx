import { Glyph, type IconProps } from './glyph.tsx';

export function CopyIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="8.5" y="8.5" width="12" height="12" rx="2.5" />
      <path d="M15.5 5.5v-.1A1.9 1.9 0 0 0 13.6 3.5H5.4a1.9 1.9 0 0 0-1.9 1.9v8.2c0 1 .8 1.9 1.9 1.9h.1" />
    </Glyph>
  );
}

export function MoreIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path strokeWidth="3" d="M5 12h.01M12 12h.01M19 12h.01" />
    </Glyph>
  );
}

export function KeyIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="8" cy="15.5" r="4.5" />
      <path d="M11.3 12.3 20.5 3.5M16.5 7.3l2.8 2.8M13.8 9.9l1.9 1.9" />
    </Glyph>
  );
}

export function HistoryIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 12a8 8 0 1 0 2.4-5.7L3.5 9M3.5 4.5V9H8M12 7.8v4.6l3 1.8" />
    </Glyph>
  );
}

export function HiddenIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M9.8 5.7c.7-.1 1.4-.2 2.2-.2 6 0 9.5 6.5 9.5 6.5a17 17 0 0 1-2.6 3.4M6.4 7.2A16.6 16.6 0 0 0 2.5 12S6 18.5 12 18.5c2 0 3.8-.7 5.3-1.7M10 10a2.8 2.8 0 0 0 4 4M4 4l16 16" />
    </Glyph>
  );
}

export function SendIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M20.5 3.5 10 14M20.5 3.5l-6.4 17-4.1-6.5-6.5-4.1 17-6.4Z" />
    </Glyph>
  );
}
