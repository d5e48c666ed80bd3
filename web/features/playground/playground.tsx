import { useQuery } from '@tanstack/react-query';
import { useTranslations } from 'use-intl';
import { domainsOf, type ProgramPackage } from '../../../packages/sandbox/index.ts';
import { isApiError } from '../../api/api-error.ts';
import { Button } from '../../ui/button/button.tsx';
import { Checkbox } from '../../ui/checkbox/checkbox.tsx';
import { Dialog } from '../../ui/dialog/dialog.tsx';
import { ErrorNotice } from '../../ui/notice/notice.tsx';
import { Canvas } from './canvas.tsx';
import styles from './playground.module.css';
import { useSampleFile } from './sample-file.ts';
import { usePlayground } from './use-playground.ts';

export type PlaygroundProps = {
  origin: string;
  /** Names the package among all that this page has read. */
  packageKey: string;
  readPackage: () => Promise<ProgramPackage>;
  name: string;
  onClose: () => void;
};

/** A plugin at work on a sample file. */
export function Playground({ origin, packageKey, readPackage, name, onClose }: PlaygroundProps) {
  const t = useTranslations('playground');
  const common = useTranslations('common');
  const list = useTranslations('list');
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['package', packageKey],
    queryFn: readPackage,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const isWithdrawn = isApiError(error) && error.status === 410;
  return (
    <Dialog
      open
      kind="wide"
      isDirty={false}
      title={t('title', { name })}
      closeLabel={common('close')}
      onClose={onClose}
    >
      <p className={styles.intro}>{t('intro')}</p>
      {data ? (
        <Stage origin={origin} program={data} name={name} />
      ) : error ? (
        isWithdrawn ? (
          <p role="alert">{t('withdrawn')}</p>
        ) : (
          <ErrorNotice
            title={t('failed')}
            retryLabel={list('retry')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        )
      ) : (
        <p role="status">{list('loading')}</p>
      )}
    </Dialog>
  );
}

type StageProps = { origin: string; program: ProgramPackage; name: string };

function Stage({ origin, program, name }: StageProps) {
  const t = useTranslations('playground');
  const sample = useSampleFile();
  const title = t('panel', { name });
  const { container, file, run, start, stop, reset, select } = usePlayground({
    ...{ origin, program, title, sample },
  });
  const isRunning = run.state === 'running';
  return (
    <div className={styles.stage}>
      <div className={styles.line}>
        <p role="status" className={styles.state} data-state={run.state}>
          {t(`state_${run.state}`)}
        </p>
        {isRunning ? (
          <Button variant="outline" onClick={stop}>
            {t('stop')}
          </Button>
        ) : (
          <Button variant="primary" onClick={start}>
            {t('again')}
          </Button>
        )}
        <Button variant="quiet" onClick={reset}>
          {t('reset')}
        </Button>
      </div>
      {run.message !== '' && (
        <p role="status" className={styles.message}>
          {run.message}
        </p>
      )}
      <div className={styles.parts}>
        <Canvas file={file} label={t('sample')} />
        <fieldset className={styles.layers}>
          <legend>{t('layers')}</legend>
          {file.nodes.map(({ id, name: layer }) => (
            <Checkbox
              key={id}
              label={layer}
              checked={file.selection.includes(id)}
              onChange={(isSelected) => select(id, isSelected)}
            />
          ))}
        </fieldset>
      </div>
      <div ref={container} className={styles.panel} />
      <Reach domains={domainsOf(program.manifest)} />
      {run.unsupported.length > 0 && (
        <div className={styles.unsupported} role="status">
          <p>{t('unsupported')}</p>
          <ul>
            {run.unsupported.map((one) => (
              <li key={one}>
                <code>{one}</code>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** What it may reach while it runs here. */
function Reach({ domains }: { domains: readonly string[] }) {
  const t = useTranslations('playground');
  const text =
    domains.length === 0
      ? t('reach_none')
      : domains.includes('*')
        ? t('reach_any')
        : t('reach_some', { domains: domains.join(', ') });
  return <p className={styles.intro}>{text}</p>;
}
