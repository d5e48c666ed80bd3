import { sql } from 'kysely';

/** What a sign-in needs on its way, and what limits guessing. Most rows live for minutes and are deleted by their expiry. */
export const signIns = sql`
  create table attempt (
    subject bytea primary key,
    attempts integer not null,
    last_at timestamptz not null,
    blocked_until timestamptz not null
  );
  comment on table attempt is 'Failed attempts, counted for the limits on guessing.';
  comment on column attempt.subject is 'Hash of what is counted, such as an account name or a network.';
  -- Old rows are deleted by age.
  create index attempt_age on attempt (last_at);

  create table known_network (subject bytea primary key, last_at timestamptz not null);
  comment on table known_network is 'Networks that accounts signed in from.';
  comment on column known_network.subject is 'Hash of account and network.';
  -- Old rows are deleted by age.
  create index known_network_age on known_network (last_at);

  create table second_factor (
    user_id bigint primary key references account on delete cascade,
    sealed_secret text not null,
    last_step bigint not null,
    created_at timestamptz not null
  );
  comment on column second_factor.last_step is
    'The latest time step whose code was used: its codes and earlier ones are invalid.';

  create table second_factor_setup (
    user_id bigint primary key references account on delete cascade,
    sealed_secret text not null,
    expires_at timestamptz not null
  );
  comment on table second_factor_setup is 'A secret that its user has seen but not confirmed yet.';
  create index second_factor_setup_expiry on second_factor_setup (expires_at);

  create table recovery_code (
    user_id bigint not null references second_factor on delete cascade,
    code_hash bytea not null,
    used_at timestamptz,
    primary key (user_id, code_hash)
  );

  create table sign_in_challenge (
    token_hash bytea primary key,
    user_id bigint not null references account on delete cascade,
    kind text not null check (kind in ('code', 'enrol', 'passed')),
    login_method text not null,
    source text not null,
    redirect_uri text not null,
    response_type text,
    code_challenge text,
    sealed_secret text,
    wrong_codes smallint not null default 0,
    created_at timestamptz not null,
    expires_at timestamptz not null
  );
  comment on table sign_in_challenge is 'A pending sign-in after a correct password.';
  comment on column sign_in_challenge.kind is
    'Waits for a code, for the setup of a second factor, or for the user to save the recovery codes.';
  comment on column sign_in_challenge.sealed_secret is 'Secret of the second factor during its setup.';
  create index sign_in_challenge_expiry on sign_in_challenge (expires_at);
  -- Deleting an account deletes its rows.
  create index sign_in_challenge_of_account on sign_in_challenge (user_id);

  create table password_link (
    token_hash bytea primary key,
    user_id bigint not null references account on delete cascade,
    expires_at timestamptz not null
  );
  comment on table password_link is 'Mailed links for setting a new password; deleted when used.';
  -- A new link replaces the earlier ones of the account.
  create index password_link_of_account on password_link (user_id);
  create index password_link_expiry on password_link (expires_at);

  create table sign_up_link (
    token_hash bytea primary key,
    email text not null,
    email_key text not null,
    channel text,
    tencent_docs boolean not null,
    expires_at timestamptz not null
  );
  comment on table sign_up_link is 'Mailed links that complete a sign-up.';
  -- A sign-up ends all links to its address.
  create index sign_up_link_of_address on sign_up_link (email_key);
  create index sign_up_link_expiry on sign_up_link (expires_at);

  create table address_link (
    token_hash bytea primary key,
    user_id bigint not null references account on delete cascade,
    email_key text not null,
    new_email text,
    expires_at timestamptz not null
  );
  comment on table address_link is 'Mailed links that verify an address.';
  comment on column address_link.new_email is 'Null for a link that verifies the current address.';
  -- A new link replaces the earlier ones of the account.
  create index address_link_of_account on address_link (user_id);
  create index address_link_expiry on address_link (expires_at);
`;
