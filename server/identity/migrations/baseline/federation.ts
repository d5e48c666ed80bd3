import { sql } from 'kysely';

/** Sign-ins through other directories. Pending ones live for minutes and are deleted by their expiry. */
export const federation = sql`
  create table external_identity (
    source text not null,
    subject text not null,
    user_id bigint not null references account on delete cascade,
    name text not null default '',
    email text not null default '',
    created_at timestamptz not null,
    last_sign_in_at timestamptz not null,
    primary key (source, subject)
  );
  comment on table external_identity is 'Identities in other directories that are linked to accounts.';
  comment on column external_identity.source is 'Id of the provider.';
  comment on column external_identity.subject is 'Id of the user there.';
  comment on column external_identity.name is 'Name there at the last sign-in.';
  comment on column external_identity.email is 'Address there at the last sign-in.';
  -- The linked identities of a user.
  create index external_identity_of_account on external_identity (user_id);

  create table sso_login (
    state_hash bytea primary key,
    source text not null,
    secrets jsonb not null check (jsonb_typeof(secrets) = 'object'),
    parameters jsonb not null check (jsonb_typeof(parameters) = 'object'),
    expires_at timestamptz not null
  );
  comment on table sso_login is 'A pending sign-in at a provider.';
  comment on column sso_login.secrets is 'What the answer of the provider is checked with.';
  comment on column sso_login.parameters is 'Parameters with which the user came to the sign-in page.';
  create index sso_login_expiry on sso_login (expires_at);

  create table used_proof (
    source text not null,
    proof_hash bytea not null,
    expires_at timestamptz not null,
    primary key (source, proof_hash)
  );
  comment on table used_proof is 'One-time assertions and tokens of providers, until they would have expired.';
  create index used_proof_expiry on used_proof (expires_at);

  create table pending_bind (
    id_hash bytea primary key,
    source text not null,
    subject text not null,
    user_id bigint not null references account on delete cascade,
    name text not null default '',
    email text not null default '',
    avatar_url text not null default '',
    redirect_uri text,
    expires_at timestamptz not null
  );
  comment on table pending_bind is
    'Sign-ins at a provider that are not linked yet to the account with the same e-mail address.';
  comment on column pending_bind.redirect_uri is
    'The callback that received the id; null when a client received it directly.';
  create index pending_bind_expiry on pending_bind (expires_at);
  -- Deleting an account deletes its rows.
  create index pending_bind_of_account on pending_bind (user_id);
`;
