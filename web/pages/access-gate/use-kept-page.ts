import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import type { UserInfo } from '../../../shared/entities/user.ts';
import { BESIDE_SESSION } from '../../api/query-client.ts';
import { hasUnsavedInput } from '../../loading/unsaved-input.ts';

/**
 * Whether a page that was shown to its owner stays although `admitted`, the user who may see it now, is another one or
 * nobody: it does with input, until `startOver`.
 */
export function useKeptPage(admitted: UserInfo | undefined) {
  const client = useQueryClient();
  const [owner, setOwner] = useState<UserInfo>();
  const wasTyped = useRef(false);
  const hasInput = wasTyped.current || hasUnsavedInput();
  const isOther = owner !== undefined && owner.user_id !== admitted?.user_id;
  const isKept = isOther && hasInput;
  const begin = (user: UserInfo | undefined): void => {
    wasTyped.current = false;
    setOwner(user);
  };
  useEffect(() => {
    if (admitted && (!owner || (isOther && !isKept))) begin(admitted);
  });
  return {
    isKept,
    owner: isOther && !isKept ? undefined : owner,
    noteInput: () => {
      wasTyped.current = true;
    },
    startOver: () => {
      begin(admitted);
      void client.resetQueries(BESIDE_SESSION);
    },
  };
}
