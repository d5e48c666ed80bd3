import { Glyph, type IconProps } from './glyph.tsx';

export function ReviewIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="5" y="4.5" width="14" height="16" rx="2.5" />
      <path d="M9 3h6v3H9zM8.8 13.2l2.2 2.2 4.4-4.6" />
    </Glyph>
  );
}

export function GridIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="4" y="4" width="6.5" height="6.5" rx="1.5" />
      <rect x="13.5" y="4" width="6.5" height="6.5" rx="1.5" />
      <rect x="4" y="13.5" width="6.5" height="6.5" rx="1.5" />
      <rect x="13.5" y="13.5" width="6.5" height="6.5" rx="1.5" />
    </Glyph>
  );
}

export function FlagIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5.5 21V4M5.5 4.8c4.6-2.6 7.4 2 13 0v8.6c-5.6 2-8.4-2.6-13 0" />
    </Glyph>
  );
}

export function CalendarIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="3.5" y="5" width="17" height="15.5" rx="2.5" />
      <path d="M3.5 10h17M8 3v4M16 3v4" />
    </Glyph>
  );
}

export function BannerIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <rect x="3" y="6" width="18" height="12" rx="2.5" />
      <path d="m6.5 15 3.5-4 3 3 2-2 2.5 3" />
    </Glyph>
  );
}

export function TagIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 5.5A1.5 1.5 0 0 1 5.5 4h6.1a2 2 0 0 1 1.4.6l6.9 6.9a2 2 0 0 1 0 2.8l-5.6 5.6a2 2 0 0 1-2.8 0L4.6 13a2 2 0 0 1-.6-1.4z" />
      <path d="M8.5 8.5h.01" />
    </Glyph>
  );
}

export function MarkIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="12" cy="9.5" r="6" />
      <path d="m8.500 14.500-1.500 6.500 5-2.500 5 2.500-1.500-6.500M9.500 9.500l1.800 1.800 3.200-3.400" />
    </Glyph>
  );
}

export function QrIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2.5v2.5M20 14v6h-3.5M14 20v-.5" />
    </Glyph>
  );
}

export function KeyIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="8" cy="15.5" r="4" />
      <path d="m11 12.7 8.5-8.2M16 7.8l2.8 2.9" />
    </Glyph>
  );
}

export function PeopleIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <circle cx="9" cy="8.5" r="3.5" />
      <path d="M2.8 19.5c.6-3.4 3-5 6.2-5s5.600 1.600 6.200 5M15.500 5.300a3.500 3.500 0 0 1 0 6.400M17.800 14.900c1.900.7 3 2.200 3.400 4.600" />
    </Glyph>
  );
}

export function ChartIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 4v14a2 2 0 0 0 2 2h14M8 15.500l3.500-4.500 3 2.500 5-6.500" />
    </Glyph>
  );
}

export function HistoryIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 5v4h4M4.400 9A8.500 8.500 0 1 1 3.600 13M12 7.500V12l3 2" />
    </Glyph>
  );
}

export function GripIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M9 6v.01M15 6v.01M9 12v.01M15 12v.01M9 18v.01M15 18v.01" />
    </Glyph>
  );
}
