import { useTranslations } from 'use-intl';
import { useForm } from '../publish-form-context.ts';
import { FormAlert } from './form-alert.tsx';
import { RefusalAlert } from './refusal-alert.tsx';
import type { Sending } from './use-sending.ts';
import type { Unsent } from './use-submit.ts';

/** What stands above the button when the form was not sent, or not accepted; what was mended since counts no more. */
export function FormAlerts({ sending, unsent }: { sending: Sending; unsent: Unsent | undefined }) {
  const t = useTranslations('publish');
  const { problems } = useForm();
  if (unsent?.reason === 'problems')
    return problems.length > 0 && <FormAlert title={t('unsent_problems', { count: problems.length })} />;
  if (unsent?.reason === 'unchanged') return <FormAlert title={t('unsent_unchanged')} />;
  if (sending.state === 'refused') return <RefusalAlert refusal={sending.refusal} at={sending.at} />;
  return null;
}
