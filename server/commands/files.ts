/** `npm run files -- move to-bucket|to-folder`: copies all stored files between the data folder and a bucket. */
import { openFolderStore } from '../community/files/media/files.ts';
import { startError } from '../database/errors.ts';
import { type Copied, copyFiles } from './copy-files.ts';
import { runProgram, withFileStore } from './program.ts';

const USAGE = 'Usage: npm run files -- move to-bucket, or npm run files -- move to-folder.';

function lineOf({ copied, same, bytes }: Copied): string {
  return `${copied} files copied (${(bytes / 2 ** 20).toFixed(1)} MB), ${same} already existed`;
}

await runProgram(async (program, args) => {
  const { config, say } = program;
  const [verb, direction, ...rest] = args;
  const isKnown = verb === 'move' && (direction === 'to-bucket' || direction === 'to-folder');
  if (!isKnown || rest.length > 0) throw startError(USAGE);
  if (!config.s3)
    throw startError('There is no bucket: set S3_ENDPOINT, S3_BUCKET and the other S3_ settings.');
  const folder = openFolderStore(config.dataDir);
  const done = await withFileStore(program, (bucket) => {
    const stores = direction === 'to-bucket' ? { from: folder, to: bucket } : { from: bucket, to: folder };
    return copyFiles(stores, (soFar) => say(lineOf(soFar)));
  });
  say(`${lineOf(done)}. Every copy was verified by its SHA-256. Nothing was deleted.`);
});
