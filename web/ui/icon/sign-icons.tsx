import { Glyph, type IconProps } from './glyph.tsx';

export function MinusIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5 12h14" />
    </Glyph>
  );
}

export function PlusIcon(props: IconProps) {
  return (
    <Glyph {...props}>
      <path d="M5 12h14M12 5v14" />
    </Glyph>
  );
}
