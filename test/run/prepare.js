/** After an installation with development packages: lets `npx tap` work at once. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { packageEnvironment, pinnedNode } from '../../server/launch/node.js';
import { assembleTap } from './tap.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
if (existsSync(join(root, 'node_modules', 'tap')))
  await assembleTap(root, pinnedNode(root), packageEnvironment(root));
