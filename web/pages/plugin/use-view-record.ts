import { useEffect, useRef } from 'react';
import { call } from '../../api/client.ts';

/** Records that the plugin was looked at, once per visit; nobody is told when that fails. */
export function useViewRecord(pluginKey: string): void {
  const recorded = useRef('');
  useEffect(() => {
    if (recorded.current === pluginKey) return;
    recorded.current = pluginKey;
    call('recordView', { plugin_key: pluginKey }).catch(() => undefined);
  }, [pluginKey]);
}
