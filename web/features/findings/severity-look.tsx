import type { ReactNode } from 'react';
import type { Severity } from '../../../shared/entities/finding.ts';
import type { BadgeTone } from '../../ui/badge/badge.tsx';
import { InfoIcon, WarningIcon } from '../../ui/icon/sign-icons.tsx';
import { AlertIcon } from '../../ui/icon/state-icons.tsx';

type Look = { icon: ReactNode; tone: BadgeTone; count: 'errors' | 'warnings' | 'notices' };

/** How each weight looks, and the text of `finding.list` that counts it. */
export const SEVERITY_LOOK: Readonly<Record<Severity, Look>> = {
  error: { icon: <AlertIcon />, tone: 'negative', count: 'errors' },
  warning: { icon: <WarningIcon />, tone: 'warning', count: 'warnings' },
  notice: { icon: <InfoIcon />, tone: 'neutral', count: 'notices' },
};
