import { Glyph, type IconProps } from './glyph.tsx';

export function UserIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="8" r="4" />
      <path d="M4.5 20.5c.8-4 3.7-6 7.5-6s6.7 2 7.5 6" />
    </Glyph>
  );
}

export function SignOutIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M14 4.5H6.5a2 2 0 0 0-2 2v11a2 2 0 0 0 2 2H14M10 12h10.5M16.5 8l4 4-4 4" />
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

export function UploadIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 16V4.5M7 9l5-5 5 5M4.5 15.5v3a2 2 0 0 0 2 2h11a2 2 0 0 0 2-2v-3" />
    </Glyph>
  );
}

export function ShieldCheckIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 3 4.5 6v5.5c0 4.5 3.1 8 7.5 9.5 4.4-1.5 7.5-5 7.5-9.5V6L12 3Z" />
      <path d="m8.5 12 2.5 2.5 4.5-5" />
    </Glyph>
  );
}

export function BellIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M6 10a6 6 0 0 1 12 0c0 5 2 6.5 2 6.5H4S6 15 6 10Z" />
      <path d="M10 20a2.2 2.2 0 0 0 4 0" />
    </Glyph>
  );
}
