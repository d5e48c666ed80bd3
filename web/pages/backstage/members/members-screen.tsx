import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import UsersIcon from 'lucide-react/icons/users';
import { useState } from 'react';
import { useDebounce } from 'use-debounce';
import { useTranslations } from 'use-intl';
import { BACKSTAGE_PAGE_SIZE, SEARCH_DELAY, TEXT_LIMITS } from '../../../../shared/constants.ts';
import type { Proof } from '../../../../shared/entities/sign-in.ts';
import type { Member } from '../../../../shared/routes/member.ts';
import { call } from '../../../api/client.ts';
import { infiniteQueryOptionsOf } from '../../../api/queries.ts';
import { useSession } from '../../../features/session/use-session.ts';
import { Button } from '../../../ui/button/button.tsx';
import { Notice } from '../../../ui/notice/notice.tsx';
import { PageHeader } from '../../../ui/page-header/page-header.tsx';
import { SearchInput } from '../../../ui/search-input/search-input.tsx';
import { Select } from '../../../ui/select/select.tsx';
import { Table } from '../../../ui/table/table.tsx';
import { PagedList } from '../../paged-list.tsx';
import { TrailTable } from '../audit-log/audit-log-table.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { ManagedTokens, type Revocation, RevokeTokens } from './managed-tokens.tsx';
import { type MemberChange, MemberDialog, ROLES, type RoleValue, roleOf } from './member-dialogs.tsx';
import { MemberRow } from './member-row.tsx';
import styles from './members-screen.module.css';

/** Accounts of our own identity service: name, role and status. */
export function MembersScreen() {
  const t = useTranslations('members');
  const [typed, setTyped] = useState('');
  const [role, setRole] = useState<RoleValue | 'all'>('all');
  const [isInviting, setInviting] = useState(false);
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
  const [first] = query.data?.pages ?? [];
  if (query.error?.status === 404) {
    return (
      <>
        <PageHeader title={t('title')} />
        <Notice icon={<UsersIcon size={22} />} title={t('elsewhere_title')} text={t('elsewhere_text')} />
        <EverybodysTokens />
      </>
    );
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        lead={t('lead')}
        actions={
          first?.sign_up !== 'closed' && (
            <Button variant="primary" disabled={!first} onClick={() => setInviting(true)}>
              {t('invite')}
            </Button>
          )
        }
      />
      {first && isInviting && <InviteDialog proof={first.proof} onClose={() => setInviting(false)} />}
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
        empty={<Notice icon={<UsersIcon size={22} />} title={t('empty_title')} text={t('empty_text')} />}
      >
        <MembersTable members={members} proof={first?.proof ?? 'sign_in'} busy={query.isPlaceholderData} />
      </PagedList>
      {/* Not before the list above has its height. */}
      {!query.isPending && <MemberChanges />}
    </>
  );
}

/** Publish tokens of everyone, for deployments whose accounts aren't local. */
function EverybodysTokens() {
  const t = useTranslations('members');
  const [confirming, setConfirming] = useState<Revocation>();
  return (
    <section className={styles.changes} aria-labelledby="tokens">
      <h2 id="tokens" className={styles.heading}>
        {t('tokens_title')}
      </h2>
      <ManagedTokens onRevoke={(token) => setConfirming({ token })} />
      <RevokeTokens confirming={confirming} onClose={() => setConfirming(undefined)} />
    </section>
  );
}

/** Log of changes to accounts. */
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

type Props = {
  members: readonly Member[];
  /** The viewer's reauthentication. */
  proof: Proof;
  busy: boolean;
};

function MembersTable({ members, proof, busy }: Props) {
  const t = useTranslations('members');
  const { user } = useSession();
  const [change, setChange] = useState<MemberChange>();
  const tokenCounts = useTokenCounts(members);
  return (
    <>
      <Table caption={t('title')} hideCaption busy={busy} width="wide" hasActions>
        <thead>
          <tr>
            <th scope="col">{t('person')}</th>
            <th scope="col">{t('role')}</th>
            <th scope="col">{t('sessions')}</th>
            <th scope="col">{t('tokens')}</th>
            <th scope="col">{t('last_sign_in')}</th>
            <th scope="col">{t('created')}</th>
            <th scope="col">{t('actions')}</th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow
              key={member.user_id}
              member={member}
              isOwn={member.user_id === user?.user_id}
              tokenCount={tokenCounts.get(member.user_id)}
              onChange={setChange}
            />
          ))}
        </tbody>
      </Table>
      {change && <MemberDialog change={change} proof={proof} onClose={() => setChange(undefined)} />}
    </>
  );
}

/** Members per token count call. */
const BATCH_SIZE = 100;

/** Number of active publish tokens by member; earlier counts stay while a longer list is counted. */
function useTokenCounts(members: readonly Member[]): ReadonlyMap<number, number> {
  const ids = members.map(({ user_id }) => user_id);
  const { data } = useQuery({
    queryKey: ['countManagedTokens', { ids }],
    queryFn: async () => {
      const parts = Array.from({ length: Math.ceil(ids.length / BATCH_SIZE) }, (_, part) =>
        ids.slice(part * BATCH_SIZE, (part + 1) * BATCH_SIZE),
      );
      const answers = await Promise.all(
        parts.map((part) => call('countManagedTokens', { user_ids: part.join(',') })),
      );
      return answers.flatMap(({ count_list }) => count_list);
    },
    placeholderData: (previous) => previous,
  });
  return new Map((data ?? []).map(({ user_id, count }) => [user_id, count]));
}
