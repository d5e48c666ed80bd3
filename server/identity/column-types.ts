import type { ColumnType } from 'kysely';

/** JSON that is written as text and read as a parsed value. */
export type JsonOf<T> = ColumnType<T, string, string>;
/** Fields of a text, by name. */
export type Fields = Record<string, string>;
export type ChangeDetail = Record<string, string | number | boolean | null>;

/** A sign-in waits for a code, for the setup of a second factor, or for the user to save the recovery codes. */
export type ChallengeKind = 'code' | 'enrol' | 'passed';
export type ResponseType = 'code' | 'none';
export type MailState = 'waiting' | 'handed_over' | 'sent' | 'uncertain' | 'dropped';
