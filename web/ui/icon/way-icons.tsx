import { Glyph, type IconProps } from './glyph.tsx';

export function ArrowLeftIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M20 12H4.5M11 5l-7 7 7 7" />
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

export function ExternalIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M8 16 18.5 5.5M10 5h9v9" />
    </Glyph>
  );
}

export function HomeIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M4 11.2 12 4.5l8 6.7M6 9.6v8.9a1.5 1.5 0 0 0 1.5 1.5h9a1.5 1.5 0 0 0 1.5-1.5V9.6M10 20v-5.5h4V20" />
    </Glyph>
  );
}
