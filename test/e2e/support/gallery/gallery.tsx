import { type ComponentType, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../../web/ui/tokens.css';
import '../../../../web/ui/base.css';
import { BadgePart } from './parts/badge-part.tsx';
import { DialogPart } from './parts/dialog-part.tsx';
import { DropdownPart } from './parts/dropdown-part.tsx';
import { FocusPart } from './parts/focus-part.tsx';
import { NumberPart } from './parts/number-part.tsx';
import { RadioPart } from './parts/radio-part.tsx';
import { ScrollPart } from './parts/scroll-part.tsx';
import { SliderPart } from './parts/slider-part.tsx';
import { TextPart } from './parts/text-part.tsx';
import { ToastPart } from './parts/toast-part.tsx';
import { TooltipPart } from './parts/tooltip-part.tsx';

const PARTS: Readonly<Record<string, ComponentType>> = {
  '/badge': BadgePart,
  '/dialog': DialogPart,
  '/dropdown': DropdownPart,
  '/focus': FocusPart,
  '/number': NumberPart,
  '/radio': RadioPart,
  '/scroll': ScrollPart,
  '/slider': SliderPart,
  '/text': TextPart,
  '/toast': ToastPart,
  '/tooltip': TooltipPart,
};

const Part = PARTS[location.pathname];
const root = document.getElementById('root');
if (!Part || !root) throw new Error(`The gallery has no ${location.pathname}.`);
createRoot(root).render(
  <StrictMode>
    <h1>Gallery</h1>
    <Part />
  </StrictMode>,
);
