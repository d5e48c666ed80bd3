import { operations } from 'virtual:operations';
import { useQuery } from '@tanstack/react-query';
import KeyRoundIcon from 'lucide-react/icons/key-round';
import PlusIcon from 'lucide-react/icons/plus';
import { useState } from 'react';
import { useTranslations } from 'use-intl';
import type { PublishToken } from '../../../shared/entities/review.ts';
import type { DataFor } from '../../api/client.ts';
import { useSite } from '../../api/site-context.ts';
import { useOperation } from '../../api/use-operation.ts';
import { Button } from '../../ui/button/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog/confirm-dialog.tsx';
import { CopyButton, type CopyLabels } from '../../ui/copy-button.tsx';
import { Disclosure } from '../../ui/disclosure/disclosure.tsx';
import { FramedRows } from '../../ui/framed-rows/framed-rows.tsx';
import { ErrorNotice, Notice } from '../../ui/notice/notice.tsx';
import { ShownOnce } from '../../ui/shown-once/shown-once.tsx';
import { Skeleton } from '../../ui/skeleton/skeleton.tsx';
import { TokenForm, type TokenPlugin, tokensQuery } from './token-form.tsx';
import { TokenRow } from './token-row.tsx';
import { curlExample, tokenState } from './token-state.ts';
import styles from './tokens.module.css';

/** The viewer's publish tokens, and a form for a new one. */
export function TokenPanel({ plugins }: { plugins: readonly TokenPlugin[] }) {
  const t = useTranslations('publishToken');
  const list = useTranslations('list');
  const { data, error, isFetching, refetch } = useQuery(tokensQuery());
  const [isMaking, setMaking] = useState(false);
  const [created, setCreated] = useState<DataFor<'createPublishToken'>>();
  const isEmpty = data?.token_list.length === 0 && !created;
  const start = (
    <Button variant={isEmpty ? 'primary' : 'outline'} onClick={() => setMaking(true)}>
      <PlusIcon />
      {t('make')}
    </Button>
  );
  return (
    <div className={styles.panel}>
      {!isEmpty && (
        <div className={styles.head}>
          <p className={styles.lead}>{t('lead')}</p>
          {start}
        </div>
      )}
      {created && <TokenSecret created={created} onDone={() => setCreated(undefined)} />}
      {!data && !error && <Skeleton shape="block" className={styles.place} />}
      {!data && error && (
        <ErrorNotice
          title={list('error_title')}
          text={list('error_text')}
          retryLabel={list('retry')}
          busy={isFetching}
          onRetry={() => void refetch()}
        />
      )}
      {isEmpty && (
        <Notice icon={<KeyRoundIcon size={22} />} title={t('empty_title')} text={t('lead')} action={start} />
      )}
      {data && <TokenList tokens={data.token_list} plugins={plugins} />}
      {isMaking && (
        <TokenForm
          plugins={plugins}
          onClose={() => setMaking(false)}
          onCreated={(answer) => {
            setMaking(false);
            setCreated(answer);
          }}
        />
      )}
    </div>
  );
}

type TokenSecretProps = { created: DataFor<'createPublishToken'>; onDone: () => void };

/** The secret of a new token, shown once, with an example. */
function TokenSecret({ created: { token, secret }, onDone }: TokenSecretProps) {
  const t = useTranslations('publishToken');
  const common = useTranslations('common');
  const { public_url } = useSite();
  const address = new URL(operations.publishPlugin.path, public_url);
  const example = curlExample({ address, pluginKey: token.plugin_key });
  const labels: CopyLabels = { idle: t('copy'), copied: common('copied'), failed: common('copy_failed') };
  return (
    <ShownOnce title={t('secret_title', { name: token.name })} level={2}>
      <p className={styles.secretText}>{t('secret_text')}</p>
      <div className={styles.box}>
        <code className={styles.code} translate="no">
          {secret}
        </code>
        <CopyButton variant="primary" text={() => secret} labels={labels} />
      </div>
      <p className={styles.exampleText}>{t('example_text')}</p>
      <div className={styles.box}>
        <pre className={styles.code} translate="no">
          {example}
        </pre>
        <CopyButton text={() => example} labels={labels} />
      </div>
      <Button variant="outline" className={styles.done} onClick={onDone}>
        {t('done')}
      </Button>
    </ShownOnce>
  );
}

type TokenListProps = { tokens: readonly PublishToken[]; plugins: readonly TokenPlugin[] };

/** Active tokens, and expired or revoked ones collapsed. */
function TokenList({ tokens, plugins }: TokenListProps) {
  const t = useTranslations('publishToken');
  const revoke = useOperation('revokePublishToken', ({ id }: PublishToken) => ({ id }), {
    done: (_none, { name }) => t('revoke_done', { name }),
    failed: t('revoke_failed'),
  });
  const [revoking, setRevoking] = useState<PublishToken>();
  const now = Date.now();
  const active = tokens.filter((token) => tokenState(token, now) === 'active');
  const ended = tokens.filter((token) => tokenState(token, now) !== 'active');
  const scopeOf = ({ plugin_key }: PublishToken): string => {
    if (plugin_key === null) return t('scope_all');
    const plugin = plugins.find((one) => one.plugin_key === plugin_key);
    return t('scope_one', { name: plugin?.name ?? plugin_key });
  };
  const rows = (those: readonly PublishToken[]) => (
    <FramedRows>
      {those.map((token) => (
        <TokenRow key={token.id} token={token} scope={scopeOf(token)} onRevoke={() => setRevoking(token)} />
      ))}
    </FramedRows>
  );
  const confirm = (): void => {
    if (revoking) revoke.mutate(revoking, { onSuccess: () => setRevoking(undefined) });
  };
  const close = (): void => {
    revoke.reset();
    setRevoking(undefined);
  };
  return (
    <>
      {active.length > 0 && rows(active)}
      {ended.length > 0 && <Disclosure label={t('ended', { count: ended.length })}>{rows(ended)}</Disclosure>}
      <ConfirmDialog
        open={revoking !== undefined}
        title={t('revoke_title', { name: revoking?.name ?? '' })}
        confirmLabel={t('revoke')}
        tone="danger"
        busy={revoke.isPending}
        error={revoke.failure}
        onConfirm={confirm}
        onClose={close}
      >
        <p>{t('revoke_text')}</p>
      </ConfirmDialog>
    </>
  );
}
