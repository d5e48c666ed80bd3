import { Glyph } from '../../../ui/icon/glyph.tsx';
import type { PlaceName } from '../targets/target.ts';

const SHAPES: Readonly<Record<PlaceName, string>> = {
  design:
    'm4 20 1-4.200L16 4.700a1.7 1.7 0 0 1 2.4 0l.9.9a1.7 1.7 0 0 1 0 2.400L8.2 19.1 4 20ZM14 6.700l3.3 3.3',
  whiteboard: 'M3 4.500h18M4.5 4.500v11.500h15V4.500M12 16v4.500M8.5 20.500h7M8 12.500l2.5-3.5 2.5 2 3-3.5',
  prototype: 'M4 6.500a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v11a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2v-11ZM10 9v6l5-3-5-3Z',
  works: 'M4 4.500h7v8H4v-8ZM14 4.500h6v5h-6v-5ZM14 12.500h6v7h-6v-7ZM4 15.500h7v4H4v-4Z',
  libraries: 'm12 3 4 4-4 4-4-4 4-4ZM12 13l4 4-4 4-4-4 4-4ZM7 8l4 4-4 4-4-4 4-4ZM17 8l4 4-4 4-4-4 4-4Z',
  plugins: 'M9 3.500v4M15 3.500v4M6.5 7.500h11v3.500a5.5 5.5 0 0 1-11 0V7.500ZM12 16.500v4',
  activities: 'M5.5 21V4M5.5 4.800c4.6-2.6 7.4 2 13 0v8.600c-5.6 2-8.4-2.6-13 0',
  help_center:
    'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9.5 9.500a2.5 2.5 0 1 1 3.6 2.200c-.7.4-1.1.9-1.1 1.800M12 16.400v.1',
  design_skills:
    'M12 6.500C10.3 5.2 7.5 4.5 3.5 4.500V18c4 0 6.8.7 8.5 2 1.7-1.3 4.5-2 8.5-2V4.500c-4 0-6.8.7-8.5 2ZM12 6.500V20',
  team: 'M9 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM2.8 19.500c.6-3.4 3-5 6.2-5s5.6 1.6 6.2 5M15.5 5.300a3.5 3.5 0 0 1 0 6.400M17.8 14.900c1.9.7 3 2.2 3.4 4.6',
  private_deployment: 'M5 4.500h14v6H5v-6ZM5 13.500h14v6H5v-6ZM8 7.500v.01M8 16.500v.01',
  customers: 'M4.5 5h15v11h-8L7 20v-4H4.500V5ZM8.5 9h7M8.5 12h4.5',
  contact: 'M3.5 5.500h17v13h-17v-13ZM4.5 7.500l7.5 6 7.5-6',
  recommend:
    'M4 8.500h16v4H4v-4ZM5.5 12.500v8h13v-8M12 8.500v12M12 8.500C9 8.5 7 7.5 7 5.700S9.5 3 12 8.500ZM12 8.500c3 0 5-1 5-2.800S14.5 3 12 8.500Z',
  education: 'm12 4.5 9.5 4.500L12 13.5 2.5 9 12 4.500ZM6.5 11v5c1.5 1.3 3.3 2 5.5 2s4-.7 5.5-2v-5',
  organizations: 'M4.5 20.500v-16h9v16M13.5 9.500h6v11M3 20.500h18M8 8.500h2M8 12.500h2M8 16.500h2',
};

/** The sign of a place. */
export function PlaceIcon({ name }: { name: PlaceName }) {
  return (
    <Glyph size={18}>
      <path d={SHAPES[name]} />
    </Glyph>
  );
}
