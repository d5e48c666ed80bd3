import { Glyph, type IconProps } from './glyph.tsx';

export function ClockIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5.2l3.3 2" />
    </Glyph>
  );
}

export function LanguagesIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M3.5 12h17M12 3.5c2.4 2.5 3.6 5.3 3.6 8.5s-1.2 6-3.6 8.5c-2.4-2.5-3.6-5.3-3.6-8.5S9.6 6 12 3.5Z" />
    </Glyph>
  );
}

export function SupportIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <circle cx="12" cy="12" r="3.6" />
      <path d="m6 6 3.4 3.4M14.6 14.6 18 18M18 6l-3.4 3.4M9.4 14.6 6 18" />
    </Glyph>
  );
}

export function MailIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="3.5" y="5.5" width="17" height="13" rx="2.5" />
      <path d="m4.5 7.5 7.5 6 7.5-6" />
    </Glyph>
  );
}

export function CopyrightIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M14.8 9.6a3.7 3.7 0 1 0 0 4.8" />
    </Glyph>
  );
}

export function LinkIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M10 13.8a4.4 4.4 0 0 0 6.3.3l3-3a4.4 4.4 0 0 0-6.2-6.2l-1.4 1.4" />
      <path d="M14 10.2a4.4 4.4 0 0 0-6.3-.3l-3 3a4.4 4.4 0 0 0 6.2 6.2l1.4-1.4" />
    </Glyph>
  );
}
