import { useForm } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import type { Proof, TypedProof } from '../../../../shared/entities/sign-in.ts';
import type { ToolGrant, ToolScope } from '../../../../shared/entities/tool.ts';
import type { ErrorCode } from '../../../../shared/errors.ts';
import type { ManagedTool } from '../../../../shared/routes/tool.ts';
import {
  isClientId,
  isClientUri,
  TOOL_GRANTS,
  TOOL_NAME_MAX,
  TOOL_SCOPES,
} from '../../../../shared/tool-metadata.ts';
import { isVisible } from '../../../../shared/visible-text.ts';
import type { ApiError } from '../../../api/api-error.ts';
import type { Refusal } from '../../../api/use-failure.ts';
import { useOperation } from '../../../api/use-operation.ts';
import { ProofDialog } from '../../../features/second-factor/proof-dialog.tsx';
import { FormTextArea, FormTextField } from '../../../ui/form-fields.tsx';
import { CheckboxGroup } from './checkbox-group.tsx';
import { GRANT_TEXTS } from './grant-texts.ts';
import styles from './tools-screen.module.css';

type Values = {
  client_name: string;
  client_id: string;
  client_uri: string;
  /** One a line. */
  addresses: string;
  grants: ToolGrant[];
  scopes: ToolScope[];
};

const NEW: Values = {
  client_name: '',
  client_id: '',
  client_uri: '',
  addresses: '',
  grants: ['authorization_code'],
  scopes: ['plugins:read', 'plugins:install'],
};

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const AT_FIELDS: ReadonlySet<ErrorCode> = new Set(['REDIRECT_ADDRESS_INVALID', 'TOOL_EXISTS']);

const SCOPE_TEXTS = {
  'plugins:read': 'read',
  'plugins:install': 'install',
  'plugins:publish': 'publish',
} as const satisfies Readonly<Record<ToolScope, string>>;

type Props = {
  /** The tool to change; undefined for a new one. */
  tool: ManagedTool | undefined;
  /** The viewer's reauthentication. */
  proof: Proof;
  onClose: () => void;
};

/** Registers a tool, or changes one. */
export function ToolForm({ tool, proof, onClose }: Props) {
  const t = useTranslations('toolAdmin');
  const rights = useTranslations('toolRequest');
  const { control, getValues, handleSubmit, setError } = useForm<Values>({
    defaultValues: tool ? valuesOf(tool) : NEW,
  });
  const refusalOf = ({ reason, details }: ApiError): Refusal<Values> | undefined => {
    const lines = linesOf(getValues('addresses'));
    const wrong = details.flatMap(({ pointer }) => lines[Number(pointer.split('/')[2])] ?? []);
    if (reason === 'REDIRECT_ADDRESS_INVALID')
      return { at: 'addresses', text: t('addresses_wrong', { addresses: wrong.join(', ') }) };
    if (reason === 'TOOL_EXISTS') return { at: 'client_id', text: t('id_taken') };
    return reason === 'TOOL_LIMIT_REACHED' ? t('full') : undefined;
  };
  const attempt = useOperation(
    tool ? 'changeTool' : 'registerTool',
    (typed: TypedProof) => ({ ...bodyOf(getValues()), ...typed }),
    {
      keepsDataOnError: true,
      done: tool ? t('changed') : t('registered'),
      failed: t('save_failed'),
      failsIn: { setError },
      errorMessages: refusalOf,
      onSuccess: onClose,
    },
  );
  const { error } = attempt;
  // Said at its field, which may be far from the end of the form.
  const isAtField = error?.reason !== undefined && AT_FIELDS.has(error.reason);
  return (
    <ProofDialog
      proof={proof}
      attempt={{ ...attempt, error: isAtField ? null : error }}
      title={tool ? t('edit_title', { name: tool.client_name }) : t('register_title')}
      confirmLabel={tool ? t('save') : t('register_confirm')}
      submit={(send) => void handleSubmit(send)()}
      onClose={onClose}
    >
      <div className={styles.form}>
        <FormTextField
          control={control}
          name="client_name"
          check={(name) => (isVisible(name) ? undefined : t('name_missing'))}
          label={t('name')}
          hint={t('name_hint')}
          maxLength={TOOL_NAME_MAX}
          autoComplete="off"
        />
        <FormTextField
          control={control}
          name="client_id"
          check={(id) => (isClientId(id.trim()) ? undefined : t('id_wrong'))}
          label={t('id')}
          hint={t('id_hint')}
          disabled={tool !== undefined}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <FormTextField
          control={control}
          name="client_uri"
          check={(uri) => (uri.trim() === '' || isClientUri(uri.trim()) ? undefined : t('home_wrong'))}
          label={t('home')}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
        />
        <CheckboxGroup
          control={control}
          name="grants"
          label={t('connects')}
          options={TOOL_GRANTS.map((value) => ({ value, label: t(GRANT_TEXTS[value]) }))}
          missing={t('connects_missing')}
        />
        <FormTextArea
          control={control}
          name="addresses"
          check={(text) => {
            const isNeeded = getValues('grants').includes('authorization_code');
            return isNeeded && linesOf(text).length === 0 ? t('addresses_missing') : undefined;
          }}
          label={t('addresses')}
          hint={t('addresses_hint')}
          rows={3}
        />
        <CheckboxGroup
          control={control}
          name="scopes"
          label={t('scopes_asked')}
          options={TOOL_SCOPES.map((value) => ({ value, label: rights(SCOPE_TEXTS[value]) }))}
          missing={t('scopes_missing')}
        />
      </div>
    </ProofDialog>
  );
}

function valuesOf(tool: ManagedTool): Values {
  const { client_name, client_id, client_uri, redirect_uris, grant_types, scope_list } = tool;
  return {
    ...{ client_name, client_id },
    client_uri: client_uri ?? '',
    addresses: redirect_uris.join('\n'),
    grants: grant_types,
    scopes: scope_list,
  };
}

function bodyOf({ client_name, client_id, client_uri, addresses, grants, scopes }: Values) {
  const home = client_uri.trim();
  return {
    client_name: client_name.trim(),
    client_id: client_id.trim(),
    ...(home !== '' && { client_uri: home }),
    redirect_uris: linesOf(addresses),
    grant_types: TOOL_GRANTS.filter((grant) => grants.includes(grant)),
    scope_list: TOOL_SCOPES.filter((scope) => scopes.includes(scope)),
  };
}
