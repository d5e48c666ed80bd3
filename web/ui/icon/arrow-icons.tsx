import { Glyph, type IconProps } from './glyph.tsx';

export function ChevronLeftIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m14.5 5.5-6.5 6.5 6.5 6.5" />
    </Glyph>
  );
}

export function ChevronRightIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m9.5 5.5 6.5 6.5-6.5 6.5" />
    </Glyph>
  );
}

export function ChevronDownIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="m5.5 9 6.5 6.5L18.5 9" />
    </Glyph>
  );
}

export function ArrowLeftIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M20 12H4.5M11 5l-7 7 7 7" />
    </Glyph>
  );
}

export function ExternalIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M8 16 18.5 5.5M10 5h9v9" />
    </Glyph>
  );
}

export function ArrowRightIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 12h15.5M13 5l7 7-7 7" />
    </Glyph>
  );
}
