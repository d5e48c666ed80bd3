import { useTranslations } from 'use-intl';
import { useListingForm } from '../publish-form-context.ts';
import { Section } from './section.tsx';
import { VersionFacts } from './version-facts.tsx';
import { VersionFields } from './version-fields.tsx';

/** The version that comes with the form, or the one that is there. */
export function VersionSection() {
  const t = useTranslations('publish');
  const { plugin, bringsVersion, isVersionFixed } = useListingForm();
  const lead = bringsVersion ? 'version_lead' : isVersionFixed ? 'version_fixed_lead' : 'version_kept_lead';
  return (
    <Section title={t('version')} lead={t(lead)}>
      {plugin && <VersionFacts plugin={plugin} />}
      {!isVersionFixed && <VersionFields />}
    </Section>
  );
}
