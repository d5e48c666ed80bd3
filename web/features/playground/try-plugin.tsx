import type { PluginDetail } from '../../../shared/entities/plugin.ts';
import { readPackage } from './read-package.ts';
import { TryButton } from './try-button.tsx';

/**
 * The same for a plugin that the visitor can get. One that is not public can be tried by its publisher after a test install.
 */
export function TryPlugin({ plugin }: { plugin: PluginDetail }) {
  const { digest, name, unpublished, is_installed } = plugin;
  const isForAll = !unpublished;
  const isOwnTrial = unpublished !== 'withdrawn' && is_installed;
  if (!digest || !(isForAll || isOwnTrial)) return null;
  return <TryButton size="l" name={name} packageKey={digest} readPackage={() => readPackage(digest)} />;
}
