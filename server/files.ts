/** `npm run files -- move to-bucket|to-folder`: copies all stored files between the data folder and a bucket. */
import { openFileStore, openFolderStore } from './community/media/files.ts';
import { startError } from './database/errors.ts';
import { type Copied, copyFiles } from './operations/copy-files.ts';
import { runProgram } from './operations/program.ts';

const USAGE = 'Usage: npm run files -- move to-bucket, or npm run files -- move to-folder.';

function lineOf({ copied, same, bytes }: Copied): string {
  return `${copied} files copied (${(bytes / 2 ** 20).toFixed(1)} MB), ${same} were there already`;
}

await runProgram(async ({ config, log, say }, words) => {
  const [verb, direction, ...rest] = words;
  const isKnown = verb === 'move' && (direction === 'to-bucket' || direction === 'to-folder');
  if (!isKnown || rest.length > 0) throw startError(USAGE);
  const { dataDir, s3 } = config;
  if (!s3) throw startError('There is no bucket: set S3_ENDPOINT, S3_BUCKET and the other S3_ settings.');
  const folder = openFolderStore(dataDir);
  const { files: bucket, close } = await openFileStore({ dataDir, s3, log, now: Date.now });
  const ways = direction === 'to-bucket' ? { from: folder, to: bucket } : { from: bucket, to: folder };
  try {
    const done = await copyFiles(ways, (soFar) => say(lineOf(soFar)));
    say(`${lineOf(done)}. Every file was read back and has the same SHA-256. Nothing was removed.`);
  } finally {
    close();
  }
});
