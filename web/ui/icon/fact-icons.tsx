import { Glyph, type IconProps } from './glyph.tsx';

export function EyeIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
      <circle cx="12" cy="12" r="2.8" />
    </Glyph>
  );
}

export function ClockIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="12" r="8.5" />
      <path d="M12 7v5.2l3.3 2" />
    </Glyph>
  );
}

export function LayersIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m12 3.5 8.5 4.7-8.5 4.7-8.5-4.7L12 3.5ZM3.8 12.5l8.2 4.5 8.2-4.5M3.8 16.5l8.2 4.5 8.2-4.5" />
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

export function PackageIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m12 3 8 4.5v9L12 21l-8-4.5v-9L12 3ZM4.2 7.7 12 12l7.8-4.3M12 12v8.8M8 5.3l8 4.4" />
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

export function BookIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 6.5C10.3 5.2 7.5 4.5 3.5 4.5v13.5c4 0 6.8.7 8.5 2 1.7-1.3 4.5-2 8.5-2V4.5c-4 0-6.8.7-8.5 2ZM12 6.5V20" />
    </Glyph>
  );
}
