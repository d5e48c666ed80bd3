import { Glyph, type IconProps } from './glyph.tsx';

export function SearchIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="11" cy="11" r="7" />
      <path d="m20.5 20.5-4.4-4.4" />
    </Glyph>
  );
}

export function CloseIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m6 6 12 12M18 6 6 18" />
    </Glyph>
  );
}

export function InstallIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M12 3.5v11.5M7 10.5l5 5 5-5M4.5 20.5h15" />
    </Glyph>
  );
}

export function CheckIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m4.5 12.5 5 5 10-11" />
    </Glyph>
  );
}

export function RefreshIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M20 11.5A8 8 0 0 0 5.6 7.2L3.5 9.5M4 12.5a8 8 0 0 0 14.4 4.3l2.1-2.3" />
      <path d="M3.5 4.5v5h5M20.5 19.5v-5h-5" />
    </Glyph>
  );
}

export function TrashIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 6.5h16M9 6V4h6v2M6 6.5l1 13.5h10l1-13.5M10 11v5M14 11v5" />
    </Glyph>
  );
}
