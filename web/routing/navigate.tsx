import { useEffect } from 'react';
import { useNavigate } from './router-context.ts';

/** Leads elsewhere as soon as it is shown. */
export function Navigate({ to, replace }: { to: string; replace?: boolean }) {
  const navigate = useNavigate();
  useEffect(() => navigate(to, { replace }), [navigate, to, replace]);
  return null;
}
