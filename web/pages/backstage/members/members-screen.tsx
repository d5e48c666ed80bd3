import { useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { PeopleIcon } from '../../../ui/icon/backstage-icons.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { PagedList } from '../../paged-list.tsx';
import { TrailTable } from '../trail/trail-table.tsx';
import { type Ending, ManagedTokens, RevokeTokens } from './managed-tokens.tsx';
import { ROLES, type RoleValue, roleOf } from './member-dialogs.tsx';
import styles from './members-screen.module.css';
import { MembersTable } from './members-table.tsx';

/** Accounts of our own identity service: who they are, what they may, and whether they may at all. */
export function MembersScreen() {
  const t = useTranslations('members');
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<RoleValue | 'all'>('all');
  const [keyword] = useDebounce(typed.trim(), SEARCH_DELAY);
  const query = useInfiniteQuery({
    ...infiniteQueryOptionsOf('listMembers', {
      keyword,
      limit: BACKSTAGE_PAGE_SIZE,
      ...(role !== 'all' && { role: roleOf(role) }),
    }),
    placeholderData: (previous) => previous,
  });
  const members = query.data?.pages.flatMap((page) => page.member_list) ?? [];
  if (query.error?.status === 404) {
    return (
      <>
        <PageHeader title={t('title')} />
        <Notice icon={<PeopleIcon size={22} />} title={t('elsewhere_title')} text={t('elsewhere_text')} />
        <EverybodysTokens />
      </>
    );
  }
  return (
    <>
      <PageHeader title={t('title')} lead={t('lead')} />
      <div className={styles.filters}>
        <SearchInput
          className={styles.search}
          label={t('search')}
          placeholder={t('search')}
          clearLabel={t('search_clear')}
          maxLength={TEXT_LIMITS.keyword}
          value={typed}
          onValueChange={setTyped}
        />
        <Select
          label={t('role')}
          hideLabel
          value={role}
          onChange={setRole}
          options={[
            { value: 'all', label: t('role_all') },
            ...ROLES.map(({ value, text }) => ({ value, label: t(text) })),
          ]}
        />
      </div>
      <PagedList
        query={query}
        isEmpty={members.length === 0}
        empty={<Notice icon={<PeopleIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <MembersTable
          members={members}
          proof={query.data?.pages[0]?.proof ?? 'sign_in'}
          busy={query.isPlaceholderData}
        />
      </PagedList>
      <MemberChanges />
    </>
  );
}

/** Publish tokens of everybody, for a deployment whose accounts are kept elsewhere. */
function EverybodysTokens() {
  const t = useTranslations('members');
  const [asked, setAsked] = useState<Ending>();
  return (
    <section className={styles.changes} aria-labelledby="tokens">
      <h2 id="tokens" className={styles.heading}>
        {t('tokens_title')}
      </h2>
      <ManagedTokens onAsk={(token) => setAsked({ token })} />
      <RevokeTokens asked={asked} onClose={() => setAsked(undefined)} />
    </section>
  );
}

/** Who changed what of whose account. */
function MemberChanges() {
  const t = useTranslations('members');
  const query = useInfiniteQuery(infiniteQueryOptionsOf('listMemberChanges', { limit: BACKSTAGE_PAGE_SIZE }));
  const entries = query.data?.pages.flatMap((page) => page.entry_list) ?? [];
  return (
    <section className={styles.changes} aria-labelledby="changes">
      <h2 id="changes" className={styles.heading}>
        {t('changes')}
      </h2>
      <PagedList
        query={query}
        isEmpty={entries.length === 0}
        empty={<p className={styles.off}>{t('changes_none')}</p>}
      >
        <TrailTable caption={t('changes')} entries={entries} busy={false} />
      </PagedList>
    </section>
  );
}
